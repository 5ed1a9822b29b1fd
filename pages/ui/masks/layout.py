"""What this page adds to the layout of a workspace."""

from __future__ import annotations

from pages.ui import figure_view, workspace

# The words on a chosen row keep the height of most of them, so that the table below stays where it
# is while one row after the other is clicked.
STYLE = f"""
<style>
.st-key-masks-chosen {{ min-height: 10.125rem; }}
@container workspace (min-width: {figure_view.WIDTH + 80}px) {{
  .st-key-masks-chosen {{ min-height: 6.875rem; }}
}}
</style>
"""


def dress() -> None:
    """Give the page its layout; once a page."""
    workspace.dress(STYLE)
