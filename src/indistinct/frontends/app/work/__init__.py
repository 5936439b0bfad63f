"""What jobs do, by name. Each calls the functions that the commands call."""

from collections.abc import Callable, Mapping
from typing import Any

from indistinct.frontends.app.work.compare import attacked, compared, paired, records
from indistinct.frontends.app.work.explore import around, swept
from indistinct.frontends.app.work.graph import graph_released
from indistinct.frontends.app.work.prices import priced
from indistinct.frontends.app.work.publish import published
from indistinct.frontends.app.work.related import related_released, related_tables
from indistinct.frontends.app.work.search import searched, tried
from indistinct.frontends.app.work.shape import shaped

WORK: Mapping[str, Callable[..., Mapping[str, Any]]] = {
    "trial": tried,
    "search": searched,
    "prices": priced,
    "sweep": swept,
    "around": around,
    "shape": shaped,
    "compare": compared,
    "attack": attacked,
    "records": records,
    "pair": paired,
    "publish": published,
    "graph": graph_released,
    "related-tables": related_tables,
    "related": related_released,
}
