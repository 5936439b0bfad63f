"""Pages and pieces of pages as HTML, by the templates beside this file."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from indistinct.errors import visible
from indistinct.frontends.report.components import Block, Page


def seen(value: object) -> object:
    """Return what is put into a page, its marks that steer a line made visible."""
    if isinstance(value, Markup):
        return Markup(visible(value))  # noqa: S704 - it was safe before, and marks add no HTML
    return visible(value) if isinstance(value, str) else value


@cache
def templates() -> Environment:
    """Return the templates; whatever is put into them is escaped."""
    return Environment(
        loader=PackageLoader("indistinct.frontends.report"),
        autoescape=True,
        finalize=seen,
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
