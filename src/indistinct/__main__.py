"""Lets ``python -m indistinct`` run the command."""

from indistinct.cli.main import run

if __name__ == "__main__":
    run()
