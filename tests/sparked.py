"""A session of Spark in this process, as small as it gets."""

import os
import shutil
import sys

import pytest

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.default.parallelism": "1",
    "spark.sql.adaptive.enabled": "false",
    # Compiling what runs once takes longer than running it.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.driver.memory": "600m",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
}


def spark_session():
    """Start Spark in this process, or say why it is skipped."""
    pyspark = pytest.importorskip("pyspark", reason="needs the extra spark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17")
    # Else Spark takes the first python3 on the path, whose version may be another one.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = pyspark.sql.SparkSession.builder.master("local[1]").appName("indistinct")
    for word, value in SETTINGS.items():
        builder = builder.config(word, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session
