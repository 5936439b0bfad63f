"""Scripts that need public data say so where they are not, and end without an error."""

import importlib
import sys

import pytest

NEEDY = {
    "republication": lambda module, folder: module.main(),
    "replay_adult": lambda module, folder: module.main(),
    "graph": lambda module, folder: module.membership(folder),
}


@pytest.mark.parametrize("name", NEEDY)
def test_a_script_is_left_out_without_its_data(name, tmp_path, monkeypatch, capsys):
    """A fresh checkout has none of them."""
    module = importlib.import_module(name)
    for place in ("ADULT", "FOLDER"):
        monkeypatch.setattr(module, place, tmp_path, raising=False)
    monkeypatch.setattr(sys, "argv", [name])
    with pytest.raises(SystemExit) as ended:
        NEEDY[name](module, tmp_path)
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("left out: ")
