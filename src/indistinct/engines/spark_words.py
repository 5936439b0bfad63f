"""What is said where Spark or its Java fails, whose own words may quote cells."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from indistinct.core.extras import load
from indistinct.errors import EngineError, OutputError

FULL = ("No space left on device", "Disk quota exceeded")


@contextmanager
def spark_in_words() -> Generator[None]:
    """Replace what Spark says of an error, which may quote cells.

    Raises
    ------
    OutputError
        when a disk is full
    EngineError
        when anything else goes wrong in Spark
    """
    of_spark = load("pyspark.errors").PySparkException
    of_java = load("py4j.protocol").Py4JError
    try:
        yield
    except (of_spark, of_java, OSError) as error:
        if any(words in str(error) for words in FULL):
            raise OutputError(
                "Spark ran out of space on a disk",
                "Free space where it writes, and in the folders that spark.local.dir names.",
            ) from None
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise EngineError(
            "Spark could not read or write the table",
            "Check the data frame by itself; the log of the cluster says more.",
        ) from None
