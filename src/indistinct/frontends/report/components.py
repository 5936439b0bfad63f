"""The pieces that a page is put together from: plain values in, drawn by ``templates/``.

The reports and the application share them, so nothing here knows a release.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from indistinct.frontends.report.drawing import Drawing


class Tone(StrEnum):
    """How a piece speaks; besides its color it says so in words."""

    PLAIN = "plain"
    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Figure:
    """One number that a reader should take away.

    Parameters
    ----------
    label : what it is, in a few words
    value : as it is shown, with its unit
    note : one sentence that says what it means
    """

    label: str
    value: str
    note: str = ""
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Figures:
    """Several figures side by side."""

    kind: ClassVar[str] = "figures"
    figures: Sequence[Figure]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of plain text; ``lead`` stands out as the first one of a page."""

    kind: ClassVar[str] = "paragraph"
    text: str
    lead: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a section."""

    kind: ClassVar[str] = "heading"
    text: str


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of sentences."""

    kind: ClassVar[str] = "listing"
    items: Sequence[str]


@dataclass(frozen=True, slots=True)
class Callout:
    """Something that must not be overlooked."""

    kind: ClassVar[str] = "callout"
    title: str
    text: str = ""
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Parameters
    ----------
    caption : what it shows; also read to those who do not see it
    heads : of the columns
    rows : texts, as many per row as there are heads; the first one of a row names the row
    numbers : which columns stand to the right, counted from 0
    folded : whether it is shown only when somebody asks for it
    """

    kind: ClassVar[str] = "table"
    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: Sequence[int] = ()
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture with the numbers behind it.

    Parameters
    ----------
    name : letters, digits and hyphens; no other chart of the page has it
    title : what it shows, as a sentence without its full stop
    description : the picture in words, for those who do not see it
    drawing : the picture
    table : its numbers
    """

    kind: ClassVar[str] = "chart"
    name: str
    title: str
    description: str
    drawing: Drawing
    table: Table


@dataclass(frozen=True, slots=True)
class Charts:
    """Several small charts side by side."""

    kind: ClassVar[str] = "charts"
    charts: Sequence[Chart]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that is already SVG: a whole element, written by this program alone."""

    kind: ClassVar[str] = "picture"
    svg: str


@dataclass(frozen=True, slots=True)
class Code:
    """A command, a policy, a BibTeX entry: text to copy."""

    kind: ClassVar[str] = "code"
    caption: str
    text: str


@dataclass(frozen=True, slots=True)
class FormLines:
    """Lines to fill in by hand.

    Parameters
    ----------
    caption : what they are for
    fields : what each line asks, and what is known already
    """

    kind: ClassVar[str] = "form"
    caption: str
    fields: Sequence[tuple[str, str]]


Block = (
    Figures
    | Paragraph
    | Heading
    | Listing
    | Callout
    | Table
    | Chart
    | Charts
    | Picture
    | Code
    | FormLines
)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page.

    Parameters
    ----------
    name : letters and hyphens; the address of the section in the page
    """

    name: str
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Page:
    """A page that stands alone.

    Parameters
    ----------
    title : of the page and of its window
    about : one line under the title: what the page is about
    marking : who may read it; stands on every printed page
    sections : in order
    numbered : whether sections have numbers and a table of contents
    """

    title: str
    about: str
    marking: str
    sections: Sequence[Section]
    numbered: bool = True
