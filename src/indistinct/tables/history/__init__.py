"""The owner's record of what was released of whom; as secret as the tables themselves."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "History": "store",
    "Made": "entries",
    "TableFacts": "entries",
    "opened": "writing",
}

if TYPE_CHECKING:
    from indistinct.tables.history.entries import Made as Made, TableFacts as TableFacts
    from indistinct.tables.history.store import History as History
    from indistinct.tables.history.writing import opened as opened
else:
    __getattr__ = face(__name__, FACE)
