"""What can go wrong on the way to the hub, in one sentence each."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from engine.errors import EngineError, ModelError
from engine.models.files import WEIGHTS

_FULL = (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def in_words(repository: str, file: str, *, begun: bool) -> Iterator[None]:
    """Turn what the hub's library raises into one sentence.

    Parameters
    ----------
    repository, file : str
        What is fetched.
    begun : bool
        Whether the file itself is under way, rather than the question how large it is.

    Raises
    ------
    ModelError
        In place of the library's error.
    """
    from httpx2 import HTTPError, InvalidURL

    try:
        yield
    except EngineError:
        raise
    except (HTTPError, InvalidURL, ValueError, OSError) as error:
        cause = _cause(error)
        raise (
            _answered(cause, repository, file)
            or _of_disk(cause)
            or _unanswered(cause, repository, file, begun)
        ) from error


def _cause(error: Exception) -> Exception:
    """Return why the library found no file: what it raises last only says that there is none."""
    from huggingface_hub.errors import LocalEntryNotFoundError

    cause = error.__cause__
    looked = isinstance(error, LocalEntryNotFoundError) and isinstance(cause, Exception)
    return cause if looked and isinstance(cause, Exception) else error


def _answered(error: Exception, repository: str, file: str) -> ModelError | None:
    """Return the refusal if the hub answered, and said no."""
    from huggingface_hub import errors

    if isinstance(error, errors.GatedRepoError):
        return ModelError(
            "{repository} is only given to people who have accepted its terms on the hub; do so, "
            "then log in on this computer with: hf auth login.",
            repository=repository,
        )
    if isinstance(error, errors.RemoteEntryNotFoundError | errors.RevisionNotFoundError):
        return _not_in(repository, file)
    if not isinstance(error, errors.HfHubHTTPError):
        return None
    status = error.response.status_code
    if isinstance(error, errors.RepositoryNotFoundError) or status in (401, 404):
        return ModelError(
            "There is no repository {repository} on the hub, or it is private.",
            repository=repository,
        )
    if status == 403:
        return ModelError("The hub gives no access to {repository}.", repository=repository)
    return ModelError("The hub answered with error {status}; try again later.", status=status)


def _not_in(repository: str, file: str) -> ModelError:
    if file == WEIGHTS:
        return ModelError(
            "{repository} has no model.safetensors; weights in other files, such as pickles, are "
            "never fetched.",
            repository=repository,
        )
    return ModelError("{repository} has no {file}.", repository=repository, file=file)


def _of_disk(error: Exception) -> ModelError | None:
    """Return the refusal if it is this computer's disk that refuses."""
    if not isinstance(error, OSError) or error.errno is None:  # the network's have no number
        return None
    if error.errno in _FULL:
        return ModelError("The disk is full; make room and try again.")
    return ModelError(
        "The hub's cache cannot be written: {reason}.", reason=error.strerror or str(error)
    )


def _unanswered(error: Exception, repository: str, file: str, begun: bool) -> ModelError:
    """Return the refusal if no answer, or half an answer, came."""
    from huggingface_hub.errors import FileMetadataError, OfflineModeIsEnabled

    if isinstance(error, OfflineModeIsEnabled):
        return ModelError("Nothing is fetched while HF_HUB_OFFLINE is set.")
    if isinstance(error, FileMetadataError):
        return ModelError(
            "What answers at the hub's address is not a hub; check the network and HF_ENDPOINT."
        )
    if begun:
        return cut_off(repository, file)
    return ModelError(
        "The hub cannot be reached; check the network, and HF_ENDPOINT where it is set."
    )


def cut_off(repository: str, file: str) -> ModelError:
    """Return the refusal for a file that did not come as a whole."""
    return ModelError(
        "The download of {file} from {repository} was cut off; nothing of it is kept, try again.",
        file=file,
        repository=repository,
    )
