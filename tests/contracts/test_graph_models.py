"""What holds for every graph model, and what its four places say of each other."""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from typer.main import get_command

import indistinct.graph as door
from graphs import edge_set
from indistinct.base.parameters import bounds_of
from indistinct.errors import ParameterError
from indistinct.frontends.cli.graph import app
from indistinct.graph.fingerprints import fingerprints
from indistinct.graph.models import GRAPH_MODELS
from indistinct.graph.models.model_parameters import declared_word, model_of, words

PAGE = (Path(__file__).parents[2] / "docs/graph.md").read_text(encoding="utf-8")
COMMANDS = get_command(app).commands

each_model = pytest.mark.parametrize("model", GRAPH_MODELS, ids=lambda model: model.name)


def network():
    graph = nx.relaxed_caveman_graph(12, 5, 0.2, seed=1)
    graph.add_nodes_from(["alone", "lonely", "single"])
    return graph


def example(model):
    """Return a value for each word that the model must be told."""
    said = {}
    for field in dataclasses.fields(model):
        if field.default is dataclasses.MISSING:
            bounds = bounds_of(field)
            low = bounds.at_least or bounds.above or 0
            middle = low + 1 if bounds.at_most is None else (low + bounds.at_most) / 2
            said[field.name] = bounds.choices[0] if bounds.choices else bounds.kind(middle)
    return said


def published(model, **more):
    return door.anonymize(network(), model.name, seed=1, **example(model), **more)


@each_model
def test_a_release_holds_for_its_owner(model, tmp_path):
    """Whatever the model promises is found again by plain code in the written files."""
    out, secret = tmp_path / "out.csv", tmp_path / "secret.csv"
    published(model).write(out, secret)
    found = door.verify(out, original=network(), crosswalk=secret)
    assert found.holds, found.document()
    assert found.verdict == "holds"


@each_model
def test_the_promise_holds_in_every_class_of_fingerprints(model):
    release = published(model)
    promise = model.promised(model_of(model.name, example(model)).required())
    if promise is None:
        return
    sizes = fingerprints(release.graph, model.knowledge).sizes
    if release.grouping is not None:
        sizes = release.grouping.sizes
    assert all(map(promise.holds, sizes))
    assert release.document["achieved"].items() >= promise.achieved(sizes.min()).items()


@each_model
def test_what_a_model_is_said_to_keep_is_kept(model):
    given = door.anonymize(network(), "naive", seed=1)
    release = published(model)
    before, after = (one.graph.relabeled(one.order) for one in (given, release))
    if model.keeps_degrees:
        assert np.array_equal(before.degrees, after.degrees)
    if model.keeps_edges:
        assert edge_set(before) == edge_set(after)


@each_model
def test_a_seed_repeats_a_release_and_two_seeds_differ(model):
    one, two = (published(model) for _ in range(2))
    assert edge_set(one.graph) == edge_set(two.graph)
    assert one.input_ids == two.input_ids
    assert (
        one.input_ids != door.anonymize(network(), model.name, seed=2, **example(model)).input_ids
    )


@each_model
def test_a_model_writes_the_files_that_it_names(model, tmp_path):
    published(model).write(tmp_path / "out.csv")
    manifest = json.loads((tmp_path / "out.csv.manifest.json").read_text())
    # The file of vertices is every release's own matter: it is there for whoever has no edge.
    written = set(manifest["files"]) - {"out.csv", "out.vertices.csv"}
    assert written == {f"out{suffix}" for suffix in model.companions}
    assert manifest["required"] == model_of(model.name, example(model)).required()
    assert manifest["required"].keys() == manifest["achieved"].keys()


@each_model
def test_attacks_publish_with_every_model(model):
    found = door.attack(
        network(), attack="degree", model=model.name, trials=1, seed=1, **example(model)
    )
    assert found["attempts"] == 63


@each_model
def test_a_word_out_of_range_is_refused_by_its_name(model):
    for name, word in words().items():
        if model.name in word.models and word.kind in {int, float} and word.bounds.at_least == 0:
            with pytest.raises(ParameterError, match=rf"^{name}: must be a number"):
                model_of(model.name, {**example(model), name: -1})


def test_all_faults_are_named_at_once():
    with pytest.raises(ParameterError) as refused:
        model_of("k-degree", {"mode": "sideways", "max_certain": 0.1, "colour": 1, "max_loss": -1})
    assert {fault.place for fault in refused.value.faults} == {
        "mode",
        "max_certain",
        "colour",
        "max_loss",
        "k",
    }


def test_a_promise_that_the_model_does_not_make_is_refused_and_not_passed_over():
    with pytest.raises(ParameterError, match="belongs to the model grouping"):
        model_of("k-degree", {"k": 2, "max_certain": 0.1})
    assert model_of("naive", {"k": 2, "share": 0.1}).name == "naive"


def test_numbers_of_other_libraries_are_numbers():
    assert model_of("k-degree", {"k": np.int64(3)}).k == 3
    assert model_of("random-switch", {"share": np.float64(0.5)}).share == 0.5
    assert model_of("k-neighborhood", {"k": 2, "time_limit": float("inf")}).time_limit > 1e9


def test_a_word_of_several_models_is_declared_alike():
    known = words()
    for model in GRAPH_MODELS:
        for field in dataclasses.fields(model):
            shared = dataclasses.replace(known[field.name], models=())
            assert declared_word(field) == shared


@pytest.mark.parametrize("name", ["anonymize", "attack"])
def test_every_word_is_an_option(name):
    offered = {option.name: option for option in COMMANDS[name].params}
    for word in words(trials=name == "attack").values():
        assert offered[word.name].default == word.default
        assert offered[word.name].help == word.help


@each_model
def test_every_model_has_its_section(model):
    """Its row in the table, its words as options, and where it comes from."""
    sections = re.split(r"^### ", PAGE.partition("\n## Models\n")[2], flags=re.MULTILINE)
    named = [text for text in sections if f"`{model.name}`" in text.splitlines()[0]]
    assert len(named) == 1, f"docs/graph.md has no section on {model.name}"
    text = re.split(r"^## ", named[0], flags=re.MULTILINE)[0]
    assert re.search(rf"^\| .*`{model.name}`.* \|", PAGE, flags=re.MULTILINE)
    for field in dataclasses.fields(model):
        option = f"--{field.name.replace('_', '-')}"
        assert f"`{option}" in text, f"{model.name} has an option {option}"
    for key in re.findall(r"Source: (\w+)", model.__doc__ or ""):
        assert key in text, f"{model.name} comes from {key}"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_is_explained(name):
    commands = PAGE.partition("\n## Commands\n")[2]
    section = commands.partition(f"`graph {name} ")[2].partition("\n`graph ")[0]
    documented = set(re.findall(r"--[a-z][a-z-]*", section.partition("\n## ")[0]))
    offered = {one for option in COMMANDS[name].params for one in option.opts if "--" in one}
    own = (
        {f"--{word.replace('_', '-')}" for word in words()}
        if name in {"anonymize", "attack"}
        else set()
    )
    assert offered - own - {"--help"} <= documented <= offered | {"--help"}


def test_verification_loads_nothing_that_makes_a_release():
    """Reading a model's promise starts none of its machinery."""
    code = (
        "import sys, indistinct.graph.verification\n"
        "print(*sorted(m for m in sys.modules if m.startswith('indistinct.graph.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    loaded = {name.removeprefix("indistinct.graph.") for name in done.stdout.split()}
    makers = {
        "anonymization",
        "certainty",
        "construction",
        "degree_sequence",
        "fingerprints",
        "grouping",
        "k_degree",
        "k_neighborhood",
        "labeled_neighborhoods",
        "perturbation",
        "release",
    }
    assert "verification" in loaded
    assert not loaded & makers
