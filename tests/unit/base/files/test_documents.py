"""Values as JSON, in one style."""

import json
import math
from dataclasses import dataclass, field

from indistinct.base.files.documents import WHERE_KNOWN, document_of, json_text


@dataclass(frozen=True)
class Part:
    size: int
    note: str | None = field(default=None, metadata=WHERE_KNOWN)
    gap: float | None = None


@dataclass(frozen=True)
class Own:
    facts: dict

    def document(self):
        return {"own": True, **self.facts}


@dataclass(frozen=True)
class Whole:
    parts: tuple[Part, ...]
    by_name: dict[str, Own]


def test_fields_are_words_in_their_order_and_what_is_not_known_is_left_out():
    """A None that says something stays; a value that writes itself does so at any depth."""
    whole = Whole((Part(1), Part(2, "b", 0.5)), {"x": Own({"n": 3})})
    assert document_of(whole) == {
        "parts": [{"size": 1, "gap": None}, {"size": 2, "note": "b", "gap": 0.5}],
        "by_name": {"x": {"own": True, "n": 3}},
    }
    assert list(document_of(whole)["parts"][1]) == ["size", "note", "gap"]


def test_text_keeps_all_scripts_and_has_no_infinite_number():
    """JSON has neither; other programs could not read them."""
    text = json_text({"Größe": [math.inf, 1.0, {"x": math.nan}]})
    assert "Größe" in text
    assert text.endswith("}\n")
    assert json.loads(text) == {"Größe": [None, 1.0, {"x": None}]}
