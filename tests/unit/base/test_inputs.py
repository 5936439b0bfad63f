"""What anybody may have written is refused in words before it can do harm."""

import json
import os
import socket
import tomllib

import pytest

import indistinct as ind
from indistinct.base.inputs import (
    bounded_decimal,
    check_regular,
    json_document,
    read_bytes,
    toml_words,
)
from indistinct.errors import IndistinctError, PolicyError
from indistinct.questions.database.loading import load
from indistinct.tables.reading import files
from indistinct.tables.verification.manifest_file import manifest_in

POLICY = """
[columns.age]
role = "quasi-identifier"
hierarchy = {rule}
[[models]]
name = "k-anonymity"
k = {k}
"""
DEEP = {
    "arrays": "a = " + "[" * 50_000 + "]" * 50_000,
    "tables": "a = " + "{a = " * 5_000 + "1" + "}" * 5_000,
    "a heading": "[" + ".".join("a" * 50_000) + "]",
    "a name": ".".join("a" * 50_000) + " = 1",
    "a quoted name": '"a" . ' * 50_000 + "a = 1",
    "just too deep": "a = " + "[" * 65 + "]" * 65,
}
LARGE = [
    "9" * 5_000,
    "-" + "9" * 40,
    "0x" + "f" * 20_000,
    str(2**63),
    "[1, [2, 1_" + "0" * 30 + "]]",
]


@pytest.mark.parametrize("name", DEEP)
def test_toml_that_is_nested_deep_is_refused(name, tmp_path):
    (tmp_path / "deep.toml").write_text(DEEP[name], encoding="utf-8")
    for read in (ind.Policy.load, load):
        with pytest.raises(PolicyError, match="nested more than 64 deep"):
            read(tmp_path / "deep.toml")


@pytest.mark.parametrize("number", LARGE)
def test_toml_with_integers_of_more_than_64_bits_is_refused(number):
    with pytest.raises(tomllib.TOMLDecodeError, match="64 bits"):
        toml_words(f"[[a]]\nb = {number}")


def test_what_a_policy_may_have_is_read_as_ever():
    said = 'a.b."c.d" = ["' + "w." * 200 + f'"]\nn = -{2**63 - 1}\nt = true\nd = 2024-02-03'
    assert toml_words(said) == tomllib.loads(said)
    deepest = "a = " + "[" * 63 + "1" + "]" * 63
    assert toml_words(deepest) == tomllib.loads(deepest)


@pytest.mark.parametrize("number", ["1e999999999", "-1e999999999", "1e-999999999", "nan", "inf"])
def test_a_declaration_has_numbers_that_can_be_written_out(number, tmp_path):
    with pytest.raises(tomllib.TOMLDecodeError):
        toml_words(f"a = {number}", bounded_decimal)
    path = tmp_path / "d.toml"
    path.write_text(
        '[dataset]\nname="n"\ndata="t.csv"\ntable="t"\nperson="id"\nledger="l"\n'
        f'[budget]\nepsilon={number}\n[columns.age]\ntype="number"\nbounds=[0, "{number}"]\n',
        encoding="utf-8",
    )
    with pytest.raises(PolicyError):
        load(path)
    path.write_text(path.read_text().replace(f"epsilon={number}", "epsilon=1"), encoding="utf-8")
    with pytest.raises(PolicyError):
        load(path)


@pytest.mark.parametrize(
    "text", ["[" * 100_000 + "]" * 100_000, '{"a":' * 70 + "1" + "}" * 70, "[1" + "0" * 400 + "]",
             '{"a": NaN}', "[-Infinity]", "1" * 5_000],
)  # fmt: skip
def test_json_without_measure_is_refused(text, tmp_path):
    with pytest.raises(json.JSONDecodeError):
        json_document(text)
    (tmp_path / "m.json").write_text(text, encoding="utf-8")
    with pytest.raises(IndistinctError, match="is not a JSON document"):
        manifest_in(tmp_path / "m.json")


@pytest.fixture(params=["pipe", "device", "folder", "socket", "loop", "nothing", "zero"])
def special(request, tmp_path, monkeypatch):
    """Return a path at which there is no regular file."""
    path = tmp_path / "special.csv"
    match request.param:
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "folder":
            path.mkdir()
        case "socket":
            one = socket.socket(socket.AF_UNIX)
            request.addfinalizer(one.close)  # noqa: PT021 - of this one kind
            monkeypatch.chdir(tmp_path)  # the paths of sockets are short
            one.bind("special.csv")
        case "loop":
            path.symlink_to(path)
        case "zero":
            path = tmp_path / "a\0b.csv"
    return path


def test_nothing_but_a_regular_file_is_read(special, tmp_path):
    with pytest.raises(OSError, match=r".") as error:
        check_regular(special)
    assert error.value.strerror
    with pytest.raises(OSError, match=r"."):
        read_bytes(special)
    doors = (
        lambda: files.read_file(str(special)),
        lambda: ind.Policy.load(special),
        lambda: load(special),
        lambda: manifest_in(special),
        lambda: ind.inspect(str(special)),
    )
    for door in doors:
        with pytest.raises(IndistinctError):
            door()
    policy = tmp_path / "p.toml"
    rule = f"{{ csv = {json.dumps(str(special))} }}"
    policy.write_text(POLICY.format(rule=rule, k=2), encoding="utf-8")
    (tmp_path / "t.csv").write_text("age\n1\n2\n", encoding="utf-8")
    with pytest.raises(IndistinctError):
        ind.anonymize(str(tmp_path / "t.csv"), ind.Policy.load(policy))
    with pytest.raises(IndistinctError):
        ind.verify(str(tmp_path / "t.csv"), ind.Policy.load(policy))


@pytest.mark.parametrize(
    ("rule", "k", "place"),
    [
        ("{ mask = 1000000000 }", 5, "columns.age.hierarchy.mask"),
        ("{ intervals = [" + "1, " * 5_000 + "] }", 5, "columns.age.hierarchy.intervals"),
        ("{ dates = [" + '"month", ' * 5_000 + "] }", 5, "columns.age.hierarchy.dates"),
        ("{ mask = 1 }", "inf", "models.0"),
        ("{ mask = 1 }", "nan", "models.0"),
        ("{ intervals = [inf] }", 5, "columns.age.hierarchy.intervals.0"),
        ("{ mask = -1 }", 5, "columns.age.hierarchy.mask"),
    ],
)  # fmt: skip
def test_a_policy_asks_for_nothing_without_measure(rule, k, place, tmp_path):
    path = tmp_path / "p.toml"
    path.write_text(POLICY.format(rule=rule, k=k), encoding="utf-8")
    with pytest.raises(PolicyError) as error:
        ind.Policy.load(path)
    assert place in {fault.place for fault in error.value.faults}


@pytest.mark.parametrize("k", [10**400, -(10**400), 2**64, float("inf"), float("nan")])
def test_numbers_from_python_have_limits_too(k):
    with pytest.raises(IndistinctError):
        ind.KAnonymity(k=k)
