"""The command that attacks: its documents, its sentences and its exit codes."""

import json

import pytest

from indistinct.frontends.cli.main import status

POLICY = """
[columns.name]
role = "identifier"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [10] }
[columns.illness]
role = "sensitive"
[[models]]
name = "k-anonymity"
k = 3
"""


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Work in a folder with a table, its release and a register; give code, output and errors."""
    monkeypatch.chdir(tmp_path)
    rows = [f"Quetzal{row},{20 + row},{('flu', 'gout')[row % 2]}" for row in range(30)]
    (tmp_path / "data.csv").write_text("\n".join(["name,age,illness", *rows]) + "\n")
    people = [f"Quetzal{row},{20 + row}" for row in range(25)]
    (tmp_path / "register.csv").write_text("\n".join(["name,age", *people]) + "\n")
    (tmp_path / "policy.toml").write_text(POLICY)

    def command(*arguments):
        capsys.readouterr()
        code = status([str(argument) for argument in arguments], show_values=False)
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        return code, said.out, said.err

    made = command(
        "anonymize", "data.csv", "--policy", "policy.toml", "--out", "out.csv",
        "--crosswalk", "crosswalk.csv",
    )  # fmt: skip
    assert made[0] == 0
    return command


REGISTER = ("--policy", "policy.toml", "--register", "register.csv", "--seed", "1")
TRUTH = ("--original", "data.csv", "--crosswalk", "crosswalk.csv")


def test_the_document(run):
    code, out, _ = run("attack", "out.csv", *REGISTER, *TRUTH, "--json")
    document = json.loads(out)
    assert code == 0
    assert document["attempts"] == 25
    assert document["control"] is None
    assert document["interval"][0] <= document["rate"] <= document["interval"][1]
    assert document["details"]["expected_rate"] == pytest.approx(0.1)
    assert "Quetzal" not in out


def test_the_answer_stands_first(run):
    _, raw, _ = run("attack", "data.csv", *REGISTER)
    assert raw.startswith("The prosecutor succeeds in 25 of 25 attempts: 100.00% (")
    _, expected, _ = run("attack", "out.csv", *REGISTER)
    assert expected.startswith("The prosecutor may expect to succeed in 2.5 of 25 attempts: 10.00%")
    _, insider, _ = run("attack", "out.csv", *REGISTER, "--attacker", "insider")
    assert insider.startswith("The insider succeeds in 0 of 25 attempts")
    assert "background (illness): 25 of 25" in insider


def test_every_attack_on_a_raw_table(run):
    """Against a control group, which here is the register's own people a year older."""
    for attack in ("singling-out-univariate", "singling-out-multivariate", "inference"):
        code, out, _ = run(
            "attack", "data.csv", "--policy", "policy.toml", "--attack", attack,
            "--original", "data.csv", "--control", "data.csv", "--json",
        )  # fmt: skip
        document = json.loads(out)
        assert code == 0
        assert document["attack"] == attack
        assert document["rate"] == 1.0
        assert document["control"]["rate"] == 1.0
        assert document["risk"] is None
        assert document["added_risk"]["difference"] is None
        assert "everybody outside the data" in document["added_risk"]["unmeasured"]
        _, said, _ = run(
            "attack", "data.csv", "--policy", "policy.toml", "--attack", attack,
            "--original", "data.csv", "--control", "data.csv",
        )  # fmt: skip
        assert said.startswith(
            "The added risk cannot be measured: the attack succeeds on everybody outside the data, "
        )


def test_the_added_risk_stands_first(run, tmp_path):
    """All whose illness follows from the age are told, in the table as outside of it."""
    others = [f"{20 + row},{('gout', 'flu')[row % 4 == 0]}" for row in range(30)]
    (tmp_path / "others.csv").write_text("\n".join(["age,illness", *others]) + "\n")
    ask = (
        "attack", "data.csv", "--policy", "policy.toml", "--original", "data.csv", "--control",
        "others.csv", "--seed", "1",
    )  # fmt: skip
    _, out, _ = run(*ask, "--attack", "inference")
    assert out.startswith("The release adds 23.33 percentage points to the attack (")
    assert "for 100.00% of people in the data and 76.67% of others.\n" in out
    assert "    added by the release: 23.33 (" in out
    _, out, _ = run(*ask, "--attack", "inference", "--json")
    added = json.loads(out)["added_risk"]
    assert added["interval"][0] < added["difference"] < added["interval"][1]
    assert run(*ask, "--attack", "inference", "--require", "added<=0.3")[0] == 0
    assert run(*ask, "--attack", "inference", "--require", "added_upper<=0.2")[0] == 1
    _, out, _ = run(*ask, "--attack", "membership-nearest")
    assert out.startswith("The release adds ")
    assert "it says yes for " in out


@pytest.mark.parametrize(
    ("attack", "why"),
    [
        ("nearest-neighbor", "this attack does not use a control group"),
        ("skewness", "this attack does not use a control group"),
        ("inference", "the control group has no column illness"),
        ("homogeneity", "the control group has no column illness"),
        ("linkability", "the control group has no column illness"),
        ("singling-out-univariate", "the control group has no column illness"),
    ],
)
def test_a_control_group_that_is_not_attacked_is_never_passed_over(run, tmp_path, attack, why):
    (tmp_path / "others.csv").write_text("age\n21\n22\n30\n")
    _, out, _ = run(
        "attack", "data.csv", *REGISTER, "--original", "data.csv", "--control", "others.csv",
        "--attack", attack,
    )  # fmt: skip
    assert out.startswith(f"The added risk cannot be measured: {why}.\n")
    assert f"    added by the release: cannot be measured: {why}\n" in out


def test_exit_codes(run):
    assert run("attack", "data.csv", *REGISTER, "--require", "rate<=0.2")[0] == 1
    code, _, err = run("attack", "out.csv", *REGISTER, *TRUTH, "--require", "rate<=0.5")
    assert (code, err) == (0, "")
    for wrong in (
        ("--attacker", "nobody"),
        ("--attack", "nothing"),
        ("--require", "luck<=1"),
        ("--attempts", "0"),
        ("--known", "shoe"),
        ("--original", "nowhere.csv"),
    ):
        code, out, err = run("attack", "out.csv", *REGISTER, *wrong)
        assert (code, out) == (2, "")
        assert err.startswith("error: ")
    assert run("attack", "out.csv", "--policy", "policy.toml")[0] == 2


def test_weights_give_individual_risks(run, tmp_path):
    """Each record stands for ten people; the risk of the greatest class is as the series says."""
    rows = (tmp_path / "data.csv").read_text().splitlines()
    weighted = [rows[0] + ",weight", *(row + ",10" for row in rows[1:])]
    (tmp_path / "weighted.csv").write_text("\n".join(weighted) + "\n")
    policy = POLICY + '[columns.weight]\nrole = "insensitive"\n'
    (tmp_path / "weighted.toml").write_text(policy)
    ask = ("assess", "weighted.csv", "--policy", "weighted.toml", "--json", "--weights")
    code, out, _ = run(*ask, "weight")
    risk = json.loads(out)["risk"]
    assert code == 0
    assert risk["individual"]["method"] == "weights"
    assert risk["individual"]["highest"] == pytest.approx(0.25584279, abs=5e-9)
    assert risk["records_at_risk"] == {"threshold": 0.2, "share": 1.0}
    assert risk["suda"]["special"] == 30
    assert run(*ask, "nothing")[0] == run(*ask, "illness")[0] == 2
    code, _, _ = run(*ask[:4], "--require", "records_at_risk<=0.5")
    assert code == 1
