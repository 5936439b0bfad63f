"""Check a released graph by plain code that shares nothing with what makes one."""

from __future__ import annotations

from indistinct.graph.verification.checks import GraphVerification
from indistinct.graph.verification.whole import verify

__all__ = ["GraphVerification", "verify"]
