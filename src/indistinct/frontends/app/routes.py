"""The addresses of the application, each with the page or the click that answers."""

from __future__ import annotations

from collections.abc import Callable

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from indistinct.frontends.app.pages import (
    compare,
    data,
    explore,
    graph,
    hierarchies,
    history,
    mend,
    opening,
    people,
    promise,
    questions,
    related,
    release,
    roles,
    script,
    search,
)
from indistinct.frontends.app.pages.answers import Act, PageHandler, Show
from indistinct.frontends.app.state import AppState

PAGES: dict[str, PageHandler] = {
    "/data": opening.page,
    "/people": people.page,
    "/roles": roles.page,
    "/hierarchies": hierarchies.show,
    "/promise": promise.page,
    "/search": search.page,
    "/explore": explore.show,
    "/release": release.show,
    "/script": script.show,
    "/graph": graph.show,
    "/related": related.show,
}
# Those that read their address, or what stands behind it.
SHOWN: dict[str, Show] = {
    "/hierarchies/{number}": hierarchies.show_column,
    "/compare": compare.show,
    "/release/{number}/{kind}/{name}": release.download,
    "/history": history.show,
    "/graph/{number}/{name}": graph.download,
    "/related/{number}/{name}": related.download,
    "/questions": questions.show,
}
DONE: dict[str, Act] = {
    "/data/open": data.open_table,
    "/data/database": data.open_database,
    "/data/project": data.open_project,
    "/data/folder": data.choose_folder,
    "/data/reading": opening.read_again,
    "/data/rows": opening.leave_out,
    "/data/settle": opening.settle,
    "/data/value": opening.call_a_value,
    "/people": people.save,
    "/roles": roles.save,
    "/roles/several": roles.set_several,
    "/roles/answer": roles.answer,
    "/roles/keep": roles.keep,
    "/roles/examples": roles.show_examples,
    "/promise/preset": promise.preset,
    "/promise/add": promise.add,
    "/promise/cover": promise.cover,
    "/promise": promise.change,
    "/mend": mend.mend,
    "/search/method": search.set_method,
    "/explore/sweep": explore.start_sweep,
    "/explore/pick": explore.pick,
    "/explore/pin": explore.pin,
    "/compare/attack": compare.attack,
    "/compare/pair": compare.pair,
    "/compare/records": compare.records,
    "/release": release.publish,
    "/history/go": history.go,
    "/graph": graph.start,
    "/related/look": related.look,
    "/related": related.release,
    "/questions/ask": questions.ask,
    "/questions/server": questions.connect,
    "/questions/compose": questions.compose,
    "/questions/declare": questions.declare,
}
# Buttons, whose forms say nothing.
PRESSED: dict[str, PageHandler] = {
    "/data/sample": data.open_sample,
    "/data/close": opening.close,
    "/search": search.start_search,
    "/search/back": history.take_back,
    "/search/trial": search.start_trial,
    "/explore/around": explore.start_around,
    "/explore/shape": explore.start_shape,
    "/compare/measure": compare.measure,
    "/undo": history.undo,
    "/redo": history.redo,
    "/graph/example": graph.example,
}
FormHandler = Callable[[AppState, Request, FormData], Response]
DONE_AT: dict[str, FormHandler] = {
    "/roles/together": roles.together,
    "/hierarchies/{number}": hierarchies.save,
    "/hierarchies/{number}/pin": hierarchies.pin,
    "/hierarchies/{number}/matters": hierarchies.matter,
}
