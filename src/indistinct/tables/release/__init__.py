"""What passes from the maker of a release to its reader."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "ClassEntry": "entries",
    "ColumnCells": "column_cells",
    "CountEntry": "entries",
    "HistoryEntry": "entries",
    "Manifest": "manifest",
    "MethodEntry": "entries",
    "ModelEntry": "entries",
    "ProtectionEntry": "entries",
    "ReleasedTable": "released",
    "ReleaseJudge": "closer_look",
    "column_scale": "released",
    "count_release": "released",
    "earlier_releases": "earlier",
    "read_release": "released_file",
    "released_read_back": "read_back_of_release",
    "with_codebook": "released",
}

if TYPE_CHECKING:
    from indistinct.tables.release.closer_look import ReleaseJudge as ReleaseJudge
    from indistinct.tables.release.column_cells import ColumnCells as ColumnCells
    from indistinct.tables.release.earlier import earlier_releases as earlier_releases
    from indistinct.tables.release.entries import (
        ClassEntry as ClassEntry,
        CountEntry as CountEntry,
        HistoryEntry as HistoryEntry,
        MethodEntry as MethodEntry,
        ModelEntry as ModelEntry,
        ProtectionEntry as ProtectionEntry,
    )
    from indistinct.tables.release.manifest import Manifest as Manifest
    from indistinct.tables.release.read_back_of_release import (
        released_read_back as released_read_back,
    )
    from indistinct.tables.release.released import (
        ReleasedTable as ReleasedTable,
        column_scale as column_scale,
        count_release as count_release,
        with_codebook as with_codebook,
    )
    from indistinct.tables.release.released_file import read_release as read_release
else:
    __getattr__ = face(__name__, FACE)
