"""Pages and pieces of pages as HTML, by the templates beside this file."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from indistinct.frontends.report.components import Block, Page


@cache
def templates() -> Environment:
    """Return the templates; whatever is put into them is escaped."""
    return Environment(
        loader=PackageLoader("indistinct.frontends.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def html_of(page: Page) -> str:
    """Write a page that stands alone: no script, and nothing is fetched from anywhere."""
    return templates().get_template("document.html").render(page=page)


def fragment_of(*blocks: Block) -> str:
    """Write pieces of a page with their styles, such as for a cell of a notebook."""
    return templates().get_template("fragment.html").render(blocks=blocks)
