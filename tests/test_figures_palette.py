"""Role colours are told apart by every eye, and every text reads on what is behind it."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.figures.palette import (
    CHINESE_FONT,
    FONT,
    ROLES,
    THEMES,
    contrast,
    mix,
    readable_on,
    role_fill,
    score_fill,
    theme,
    weight_fill,
)

# Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB.
EYES = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
# sRGB to CIE XYZ under D65 (IEC 61966-2-1).
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
ATTENTION_ROLES = tuple(role for role in ROLES if role != "input")
LEAST_DISTANCE = 14
shares = st.floats(0, 1)
every_theme = pytest.mark.parametrize("name", THEMES)


def linear(colour):
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def lab(colour, eye):
    seen = np.clip(EYES[eye] @ linear(colour), 0, 1)
    t = (TO_XYZ @ seen) / (TO_XYZ @ np.ones(3))
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(one, other, eye):
    return float(np.linalg.norm(lab(one, eye) - lab(other, eye)))


def saturation(colour):
    channels = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return max(channels) - min(channels)


def test_the_distance_is_that_of_cielab():
    assert distance("#000000", "#FFFFFF", "normal") == pytest.approx(100, abs=0.01)
    assert lab("#FF0000", "normal") == pytest.approx([53.24, 80.09, 67.20], abs=0.05)


def test_contrast_is_that_of_wcag():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.01)


@every_theme
@pytest.mark.parametrize("eye", EYES)
def test_every_eye_tells_the_roles_apart(name, eye):
    roles = theme(name).roles
    for one, other in combinations(ATTENTION_ROLES, 2):
        assert distance(roles[one], roles[other], eye) >= LEAST_DISTANCE, (one, other)


@every_theme
@pytest.mark.parametrize("eye", EYES)
def test_every_eye_tells_positive_from_negative_scores(name, eye):
    positive, negative = score_fill(1, 1, name), score_fill(-1, 1, name)
    assert distance(positive, negative, eye) >= 25


@every_theme
def test_text_reads_on_the_background_and_on_panels(name):
    colours = theme(name)
    texts = [colours.text, colours.muted, colours.alert, *colours.roles.values()]
    for text in texts:
        assert contrast(text, colours.background) >= 4.5
        assert contrast(text, colours.surface) >= 4.2


@every_theme
@given(share=shares, role=st.sampled_from(ROLES))
def test_numbers_read_on_every_cell(name, share, role):
    colours = theme(name)
    fills = [
        weight_fill(share, name),
        score_fill(share, 1, name),
        score_fill(-share, 1, name),
        role_fill(role, share, name),
        colours.masked,
        colours.surface,
    ]
    for fill in fills:
        assert contrast(readable_on(fill, name), fill) >= 4.5


@every_theme
def test_weights_grow_from_the_background_to_their_own_hue(name):
    colours = theme(name)
    steps = [weight_fill(weight, name) for weight in np.linspace(0, 1, 21)]
    seen = [distance(colours.background, step, "normal") for step in steps]
    assert all(later > earlier for earlier, later in pairwise(seen))
    assert steps[-1] == colours.roles["weights"]
    assert contrast(steps[0], colours.background) < 1.2


@every_theme
@given(share=shares)
def test_the_score_ramp_is_symmetric_about_zero(name, share):
    colours = theme(name)
    toward = {1: colours.roles["scores"], -1: colours.negative}
    for sign, end in toward.items():
        fill = score_fill(sign * share, 1, name)
        part = 0.04 + 0.81 * share
        expected = mix(colours.background, end if share else toward[1], part)
        assert distance(fill, expected, "normal") < 1


@every_theme
def test_a_ramp_without_extent_takes_its_centre(name):
    assert score_fill(0.0, 0.0, name) == score_fill(0.0, 5.0, name)


@every_theme
def test_a_masked_cell_is_grey_as_no_weight_is(name):
    masked = theme(name).masked
    for weight in np.linspace(0, 1, 201):
        fill = weight_fill(weight, name)
        assert distance(masked, fill, "normal") > 5
    assert saturation(masked) <= 10
    assert saturation(theme(name).hatch) <= 17


@pytest.mark.parametrize("families", [FONT, CHINESE_FONT])
def test_font_lists_end_in_a_family_that_always_exists(families):
    names = families.split(", ")
    assert names[-1] == "sans-serif"
    assert {"PingFang SC", "Noto Sans CJK SC", "Microsoft YaHei"} <= set(names)
    assert len(names) == len(set(names))


def test_there_is_no_third_theme():
    with pytest.raises(KeyError, match="light, dark"):
        theme("sepia")
