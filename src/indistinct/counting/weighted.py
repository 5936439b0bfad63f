"""From distinct rows with their records, as an engine counts them, to the problem to solve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from indistinct.core.arrays import Codes, Ints
from indistinct.core.brief import briefly
from indistinct.core.frequencies import TOGETHER, SensitiveColumn
from indistinct.core.schema import Role
from indistinct.counting.prepare import (
    Prepared,
    encode_column,
    hierarchies_of,
    problem_of,
    sensitive_names,
    size_faults,
    weighed,
)
from indistinct.counting.population import lists_people, population_table, read_population
from indistinct.counting.prepare import number_faults, is_missing
from indistinct.engines.protocol import EncodedColumn
from indistinct.engines.sources import Profile, Tally, weights_of
from indistinct.engines.tuples import together
from indistinct.engines.weighted import beneath, chosen, complete, count_weighted
from indistinct.errors import Fault, PolicyError
from indistinct.models import AlphaKAnonymity, ConfidentKAnonymity, KAnonymity, NTCloseness
from indistinct.policy.policy import Policy
