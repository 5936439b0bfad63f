"""Verification's renderers of single rules, for tests."""

from indistinct.tables.policy.sections.hierarchy import HierarchyRule
from indistinct.tables.verification.listed import Listed
from indistinct.tables.verification.rendering import Renderer


def intervals(*widths):
    return Renderer("intervals", HierarchyRule(intervals=widths))


def masks(hidden):
    return Renderer("mask", HierarchyRule(mask=hidden))


def periods(*steps):
    return Renderer("dates", HierarchyRule(dates=steps))


def listed(paths):
    rows = [list(path) for path in paths.values()]
    return Renderer("list", HierarchyRule(rows=rows), listed=Listed(paths))


def kept():
    return Renderer("labels", HierarchyRule(labels=()))


def ranges():
    return Renderer("ranges", HierarchyRule(ranges="exact"))
