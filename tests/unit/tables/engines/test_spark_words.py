"""What is said where Spark or its Java fails."""

import pytest

from indistinct.errors import EngineError, OutputError
from indistinct.tables.engines.spark_paths import spark_in_words

protocol = pytest.importorskip("py4j.protocol", reason="needs the extra spark")
MARKER = "Xq7Marker"


@pytest.mark.parametrize(
    ("said", "kind", "words"),
    [
        ("java.io.IOException: No space left on device", OutputError, "ran out of space"),
        ("org.apache.spark.SparkException: bad cell", EngineError, "could not read or write"),
    ],
)
def test_errors_of_java_are_told_in_words_that_quote_nothing(said, kind, words):
    """A full disk is told apart from everything else."""
    with pytest.raises(kind, match=words) as error, spark_in_words():
        raise protocol.Py4JError(f"{said} {MARKER}")
    assert MARKER not in str(error.value)
    assert error.value.__cause__ is None


def test_an_error_of_the_system_stays_one():
    """It has words of its own, which name a path."""
    with pytest.raises(FileNotFoundError), spark_in_words():
        raise FileNotFoundError(2, "No such file")
