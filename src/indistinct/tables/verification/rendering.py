"""What a value reads as at each level of its column: verification's renderer of a policy's words.

Everything else follows from it. A text is taken for a label only where the renderer gives it back
from the lower end, the first day or the kept characters that the text shows. A value lies below a
label where the value reads so at the label's level. The coarser cells around a label are what its
lower end reads as at higher levels. Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Literal, NamedTuple, cast

from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.sections.hierarchy import HierarchyRule, PeriodSteps
from indistinct.tables.verification.listed import Listed, list_of
from indistinct.tables.verification.periods import (
    PARTS,
    first_day,
    period_around,
    step_of,
)
from indistinct.tables.verification.texts import (
    CLOSED,
    HALF_OPEN,
    HIDDEN,
    LIKE_A_RANGE,
    digits_of_number,
    has_leading_zero,
    interval_around,
    is_finite,
    is_number,
    is_range,
    step_of_ends,
    value_key,
)

Kind = Literal["intervals", "dates", "mask", "list", "ranges", "labels"]
ANY = range(1001)  # the levels of a cell that the words of the policy give none
ROUNDING = 1e-9
UNSEEN = "?"  # a character that a mask hides


class Entry(NamedTuple):
    """A label of a column: where it stands, and what it begins with.

    Parameters
    ----------
    level : 1 or more, the lowest that the policy allows
    low : the lower end, the first day or what a mask keeps; None for a label of a list
    """

    text: str
    level: int
    low: str | None = None

    @property
    def words(self) -> list[str | int | None]:
        """Return the entry as a codebook has it."""
        return [self.text, self.level] if self.low is None else [*self]


@dataclass(frozen=True)
class Renderer:
    """What values and labels of one column read as at each level.

    Parameters
    ----------
    kind : of its labels; ``ranges`` are an algorithm's, and ``labels`` those of a public policy,
        which says nothing of the values below them, nor has any where values are kept or hidden
    rule : how values are generalized
    missing : texts of a missing value, which has its own label below the root
    levels_allowed : least and greatest level of the policy; None for no greatest
    listed : of a list
    range_ends : of ranges that an algorithm makes; None for none
    is_guessed : whether nobody says the rule, so that it was found by the form of the cells
    """

    kind: Kind
    rule: HierarchyRule
    missing: frozenset[str] = frozenset({""})
    levels_allowed: tuple[int, int | None] = (0, None)
    listed: Listed = field(default_factory=lambda: Listed({}))
    range_ends: str | None = None
    is_guessed: bool = False
    _levels: dict[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]], repr=False)

    @classmethod
    def of(
        cls,
        rule: ColumnRule,
        *,
        as_texts: bool = False,
        shown: Iterable[str] = (),
        values: Collection[str] = (),
    ) -> Renderer:
        """Return the renderer of a column.

        Parameters
        ----------
        as_texts : whether the values are known to be texts; else a list of numbers is read as such
        shown, values : cells of the release, and values of the input, by whose form labels are
            known where nobody says the rule
        """
        written, missing = rule.hierarchy, rule.texts_of_missing
        is_known = written is not None or rule.is_suggested or rule.words.max_level == 0
        if written is None:
            texts = {*shown} - missing - {HIDDEN}
            written = _ranges_among(texts, in_ranges=rule.in_ranges)
            if written.labels is not None and not is_known:
                written = guessed_rule(texts, values)
        return cls(
            _kind_of(written),
            written,
            missing,
            (rule.words.min_level, rule.words.max_level),
            list_of(rule, as_texts=as_texts) or Listed({}),
            rule.range_ends,
            not is_known,
        )

    @cached_property
    def top(self) -> int:
        """The level of the root, above all that the rule says."""
        rule = self.rule
        if self.kind == "list":
            return self.listed.depth
        return 1 + len(rule.intervals or rule.dates or range(rule.mask or 0))

    @cached_property
    def labels(self) -> Mapping[str, int]:
        """The labels of a public policy, with their levels."""
        return {text: level for text, level, _ in self.rule.labels or ()}

    def text_of(self, level: int, value: str) -> str | None:
        """Return what a value reads as at a level, or the lower end of a label; None for nothing.

        A missing value keeps its own label below the root, unless a list has others for it.
        """
        if self.kind == "list":
            path = self.listed.missing_path if value in self.missing else self.listed.path(value)
            return (path[level] if level < len(path) else HIDDEN) if path else None
        if level >= self.top:
            return HIDDEN
        if level == 0 or value in self.missing:
            return value
        return RENDERED[self.kind](self.rule, level, value)

    def levels(self, text: str) -> Sequence[int]:
        """Return the levels at which a cell may stand, none where it is no cell of the column."""
        found = self._levels.get(text)
        if found is None:
            found = self._levels[text] = self._found_levels(text)
        return found

    def _found_levels(self, text: str) -> Sequence[int]:
        """Look for the levels at which the renderer gives a text."""
        if self.kind == "list":
            return self.listed.levels.get(text) or ((0,) if self.listed.path(text) else ())
        if self.kind == "ranges":
            return ANY if text in {HIDDEN, *self.missing} or self._is_range(text) else ()
        if self.kind == "labels":
            above = ANY[max(self.labels.values(), default=0) + 1 :]
            own = above if text == HIDDEN else (self.labels.get(text, 0),)
            return ANY if text in self.missing else own
        if text == HIDDEN:
            return range(1 if self.kind == "mask" else self.top, self.top + 1)
        low = LOWS[self.kind](text)
        levels = range(1, self.top) if low is not None else ()
        labels = [level for level in levels if self.text_of(level, low or "") == text]
        values = (0,) if self._is_value(text) else ()
        return (*values, *labels) or (range(self.top) if text in self.missing else ())

    def _is_value(self, text: str) -> bool:
        """Return whether a text may be a value of the column."""
        if self.kind == "mask":
            return text not in self.missing and HIDDEN not in text
        if self.kind == "intervals":
            return is_number(text)
        step = step_of(text.removesuffix(".0"))
        return step == "day" or step in PARTS[self.rule.dates[0] if self.rule.dates else ""]

    def _is_range(self, text: str) -> bool:
        """Return whether a text is a number, or a range as an algorithm makes it."""
        if CLOSED.match(text) and self.range_ends == "rounded" and step_of_ends(text) is None:
            return False
        return is_range(text) or is_number(text)

    def _levels_by_form(self, text: str) -> Sequence[int]:
        """Return the levels that some rule might give a text, where nobody says the rule."""
        if LIKE_A_RANGE.match(text):
            return ANY if self._is_range(text) else ()
        may_be_range = self.range_ends is not None and is_number(text)
        is_label = text.endswith(HIDDEN) or step_of(text) not in {None, "day"}
        return ANY if may_be_range or is_label or text in self.missing else (0,)

    def allowed_levels(self, text: str) -> Sequence[int]:
        """Return the levels of a cell that the policy allows."""
        low, high = self.levels_allowed
        levels = self._levels_by_form(text) if self.is_guessed else self.levels(text)
        return [one for one in levels if one >= low and (high is None or one <= high)]

    def allows(self, text: str) -> bool:
        """Return whether a cell stands at a level that the policy allows."""
        return bool(self.allowed_levels(text))

    def allows_middle(self, text: str) -> bool:
        """Return whether a number stands for itself or a label at a level that is allowed."""
        if text == "" or (is_finite(text) and self.kind in {"ranges", "labels"}):
            return True  # hidden or missing; or in the middle of what nobody can tell
        return any(map(self.allows, self.around_middle(text) if is_finite(text) else [text]))

    def entries(self, shown: Iterable[str]) -> list[Entry]:
        """Return the entries of the labels among some cells, those of intervals by their ends.

        Of dates, whatever a step gives is an entry, a value among them, too.
        """
        found: list[Entry] = []
        for text in sorted(shown):
            levels = self.allowed_levels(text) or self.levels(text)
            if self.kind == "dates":
                levels = [level for level in levels if level]
            if levels and levels[0] and self.kind != "ranges":
                is_mask, low = self.kind == "mask", LOWS.get(self.kind, _nothing)(text)
                found.append(Entry(text, levels[0], text.rstrip(HIDDEN) if is_mask else low))
        if self.kind == "intervals":
            found.sort(key=lambda entry: (Decimal(entry.low or 0), entry.level))
        return found

    def is_below(self, text: str, value: str) -> bool:
        """Return whether a value reads as a cell at one of the levels of the cell."""
        if text in {HIDDEN, value} or self._is_same(text, value):
            return True
        if self.kind == "labels":
            return self.labels.get(text, 0) > 0  # nobody says which values are below
        if self.kind == "ranges":
            ends = CLOSED.match(text) or HALF_OPEN.match(text)
            if ends is None or not is_finite(value):
                return False
            low, number, high = Decimal(ends[1]), Decimal(value), Decimal(ends[2])
            return low <= number < high or (number == high and text.endswith("]"))
        return any(self.text_of(level, value) == text for level in self.levels(text))

    def _is_same(self, text: str, value: str) -> bool:
        """Return whether two texts are one value."""
        if self.kind == "list":
            path = self.listed.path(value)
            return bool(path) and text not in self.listed.levels and self.listed.path(text) is path
        if self.kind not in {"intervals", "ranges"} and (
            has_leading_zero(text) or has_leading_zero(value)
        ):
            return False
        return is_finite(text) and is_finite(value) and value_key(text) == value_key(value)

    def above(self, text: str) -> Sequence[str]:
        """Return the other cells around a cell, finest first, the root last.

        A label that stands at several levels covers the same values as those between them.
        """
        levels, low = self.levels(text), self._lowest(text)
        above = range(levels[0] + 1, self.top) if levels and low is not None else ()
        around = (*(self.text_of(level, low or "") for level in above), HIDDEN)
        return [label for label in dict.fromkeys(around) if label is not None and label != text]

    def _lowest(self, text: str) -> str | None:
        """Return what stands for the values below a cell: one of them, or where it begins."""
        if self.kind == "list":
            return text if self.listed.path(text) else self.listed.value_below.get(text)
        if text in self.missing or text == HIDDEN or self.kind not in LOWS:
            return None
        low = LOWS[self.kind](text)
        return text if low is None else low

    def has_in_middle(self, text: str, value: str) -> bool:
        """Return whether an allowed label with a number in its middle contains a value."""
        if not is_finite(text) or self.kind in {"ranges", "labels"}:
            return True
        around = (label for label in self.around_middle(text) if self.allowed_levels(label))
        return any(self.is_below(label, value) for label in around)

    def around_middle(self, number: str) -> list[str]:
        """Return a number, and the labels that have it in their middle."""
        if self.kind == "list":
            own = (number, *self.listed.middles.get(float(number), ()))
            return [label for label in own if self.levels(label)]
        labels = (interval_around(number, width) for width in self.rule.intervals or ())
        return [number, *(label for label in labels if _has_middle(label, float(number)))]


def _ranges_among(shown: Collection[str], *, in_ranges: bool) -> HierarchyRule:
    """Return the rule of ranges where an algorithm makes some of numbers; else that of values."""
    are_ranges = all(is_number(text) or CLOSED.match(text) for text in shown)
    return HierarchyRule(ranges="exact") if in_ranges and are_ranges else HierarchyRule(labels=())


def guessed_rule(shown: Collection[str], values: Collection[str] = ()) -> HierarchyRule:
    """Return a rule by which some cells read as labels, where nobody says one.

    Parameters
    ----------
    shown : cells that are neither missing nor hidden
    values : of the input; numbers of four digits are years where these are dates
    """
    ends = [found for text in shown if (found := HALF_OPEN.match(text)) is not None]
    widths = {float(Decimal(found[2]) - Decimal(found[1])) for found in ends}
    if widths and min(widths) > 0:
        return HierarchyRule(intervals=tuple(sorted(widths)))
    stars = max((len(text) - len(text.rstrip(HIDDEN)) for text in shown), default=0)
    if stars:
        return HierarchyRule(mask=stars)
    steps = {step_of(text) for text in shown} - {None, "day"}
    are_days = bool(values) and all(step_of(value) == "day" for value in values)
    if steps and (are_days or not all(map(is_number, shown))):
        found = tuple(step for step in PARTS if step in steps)
        return HierarchyRule(dates=cast("PeriodSteps", found))
    return HierarchyRule(labels=())


def _kind_of(rule: HierarchyRule) -> Kind:
    """Return how the labels of a rule are written."""
    if rule.lists_values:
        return "list"
    kinds: tuple[Kind, ...] = ("intervals", "dates", "mask", "ranges")
    for kind in kinds:
        if getattr(rule, kind) is not None:
            return kind
    return "labels"


def _interval(rule: HierarchyRule, level: int, value: str) -> str | None:
    """Return the interval around a number."""
    return interval_around(value, (rule.intervals or ())[level - 1]) if is_finite(value) else None


def _period(rule: HierarchyRule, level: int, value: str) -> str | None:
    """Return the period around a day or a shorter period."""
    return period_around(value.removesuffix(".0"), (rule.dates or ())[level - 1])


def _masked(rule: HierarchyRule, level: int, value: str) -> str:
    """Return a text with its last characters hidden; one of which nothing is left is a star."""
    del rule
    digits = digits_of_number(value)
    kept = digits[: max(0, len(digits) - level)]
    return kept + HIDDEN * level if kept else HIDDEN


RENDERED: Mapping[Kind, Callable[[HierarchyRule, int, str], str | None]] = {
    "intervals": _interval,
    "dates": _period,
    "mask": _masked,
}


def _lower_end(text: str) -> str | None:
    """Return the lower end of an interval."""
    ends = HALF_OPEN.match(text)
    return None if ends is None else ends[1]


def _masked_text(text: str) -> str | None:
    """Return some text that a mask writes as one with stars, all of them at its end."""
    kept = text.rstrip(HIDDEN)
    return None if HIDDEN in kept or kept == text else kept.ljust(len(text), UNSEEN)


def _nothing(text: str) -> None:
    """Return nothing: a label of a list begins nowhere."""
    del text


LOWS: Mapping[Kind, Callable[[str], str | None]] = {
    "intervals": _lower_end,
    "dates": first_day,
    "mask": _masked_text,
}


def _has_middle(label: str, number: float) -> bool:
    """Return whether a number stands in the middle of an interval, but for its last digits."""
    ends = HALF_OPEN.match(label)
    if ends is None:
        return False
    low, high = float(ends[1]), float(ends[2])
    return abs((number - low) / (high - low) - 0.5) <= ROUNDING * max(1.0, abs(low / (high - low)))
