"""Too little memory is told in words, and is no fault of the program."""

from indistinct.frontends.cli import main


def test_too_little_memory_is_no_error_of_the_program(monkeypatch, capfd):
    def starved(*_, **__):
        raise MemoryError("SECRET of a record")

    monkeypatch.setattr(main, "app", starved)
    assert main.status(["verify", "out.csv"], show_values=False) == 2
    said = capfd.readouterr().err
    assert "not enough memory" in said
    assert "itself" not in said
    assert "SECRET" not in said
