"""Price-driven local search on an assignment of items to classes.

A record's price is what it pays now. A group is worth opening when the prices of the records that
it would take exceed what they would pay in it. A round opens such groups at a venture, houses the
records whose classes broke, and keeps every independent part of the change that pays. So loss never
rises, and every class is whole after every round.

Several proposals are made per round, each from the same state, and merged in a fixed order: the
result does not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass

import numpy as np

from indistinct.core.arrays import Bools, Codes, Floats, Ints
from indistinct.search.local.forest import ProposalTrees, joined, judge_groups
from indistinct.search.local.local_space import OUTSIDE, Assignment, LocalSpace, merged, node_cells
from indistinct.search.local.peel_kernels import PeeledGroups, grow_tree
from indistinct.search.local.refine_kernels import (
    components,
    house_items,
    open_groups,
    tighten_classes,
)
from indistinct.search.local.run import LocalSearchRun
from indistinct.search.progress import so_far

PROPOSALS = 2  # per round
EPOCH = 3  # rounds between new trees
TREES = 3
ANGER = (0.0, 0.1, 0.2, 0.3, 0.5)
LOYALTY = (0.0, 0.1, 0.3)
LOCKED = (0.0, 0.2, 0.4, 0.6)
NOISE = (0.0, 0.2, 0.4, 0.8)
GAIN = 1e-9  # records' worth of loss below which a change is no gain
PATIENCE = 40  # rounds without gain after which a search ends
TREE_LOOKS = (1, 2, 3)
TREES_OF_EPOCHS, MOVES = 2, 3  # purposes of random draws


@dataclass(frozen=True, slots=True)
class Move:
    """A change of an assignment, in independent parts.

    Parameters
    ----------
    labels : (n_items,), class of each item after the change; classes before it keep their numbers
    nodes : (n_classes, n_columns), levels, of new classes too
    parts : (n_classes,), a number shared by the classes of each part
    pays : (n_classes,), True where a class's part is worth making
    """

    labels: Codes
    nodes: Codes
    parts: Codes
    pays: Bools


@dataclass(frozen=True, slots=True)
class MeasuredAssignment:
    """An assignment, with what every proposal of a round reads of it.

    Parameters
    ----------
    assignment : settled, so that no class of it is empty
    members, starts : its items class after class, and where each class begins: (n_classes + 1,)
    sizes, losses : (n_classes,), records of each class, and what each of them pays
    total : the mean a record pays, suppressed ones included
    """

    assignment: Assignment
    members: Codes
    starts: Ints
    sizes: Ints
    losses: Floats
    total: float


def measured(space: LocalSpace, assignment: Assignment) -> MeasuredAssignment:
    """Measure an assignment once for a whole round."""
    sizes, losses = assignment.sizes(space), assignment.losses(space)
    total = assignment.total_of(space, sizes, losses)
    return MeasuredAssignment(assignment, *assignment.members(), sizes, losses, total)


def refine(
    space: LocalSpace,
    assignment: Assignment,
    rounds: int,
    run: LocalSearchRun,
    temperature: float = 0.0,
) -> tuple[Assignment, int]:
    """Improve an assignment for some rounds; give the best and the number of rounds done.

    Stops early when the deadline has passed or PATIENCE rounds have gained nothing.

    Parameters
    ----------
    temperature : loss, in suppressed records, that a part of a change may add in the first round;
        cooled to 0 in the last. Above 0 a long search gets out of dead ends that a short one never
        meets
    """
    state = measured(space, assignment)
    best, least = assignment, state.total
    idle = 0
    trees = plant(space, run, 0)
    groups = ripe(space, trees)
    for number in range(rounds):
        if run.deadline.passed or idle >= PATIENCE:
            return best, number
        if number % EPOCH == 0:
            groups = ripe(space, trees) if number else groups
            trees = plant(space, run, number + EPOCH) if number + EPOCH < rounds else []
        allowed = temperature * space.price * (1 - number / rounds) ** 2
        state = refine_once(space, state, groups, run, number, allowed)
        idle = 0 if state.total < least - GAIN or temperature else idle + 1
        if state.total < least:
            best, least = state.assignment, state.total
        run.progress(
            (number + 1) / rounds, f"round {number + 1}; {so_far('loss', least, run.known_bound)}"
        )
    return best, rounds


def refine_once(  # noqa: PLR0913, PLR0917 - what a round depends on
    space: LocalSpace,
    state: MeasuredAssignment,
    groups: PeeledGroups,
    run: LocalSearchRun,
    number: int,
    allowed: float = 0.0,
) -> MeasuredAssignment:
    """Do one round, in which every part of a change may add ``allowed`` to the loss."""

    def work(lane: int) -> Move:
        draw = run.draw(MOVES, PROPOSALS * number + lane)
        return propose(space, state, groups, draw, allowed)

    moves = list(run.pool.map(work, range(PROPOSALS)))
    if not any(move.pays.any() for move in moves):
        return state
    return measured(space, made(space, state.assignment, moves))


def plant(space: LocalSpace, run: LocalSearchRun, number: int) -> list[Future[PeeledGroups]]:
    """Begin to grow the trees of an epoch over all items."""
    everything = np.arange(space.n_items, dtype=np.int32)
    return [
        run.pool.submit(
            grow_tree,
            space.items,
            everything,
            space.least,
            TREE_LOOKS[int(word) % len(TREE_LOOKS)],
            space.price,
            word,
        )
        for word in run.words(TREES_OF_EPOCHS, number, TREES)
    ]


def ripe(space: LocalSpace, trees: list[Future[PeeledGroups]]) -> PeeledGroups:
    """Wait for trees and list their groups, but for those that cannot satisfy the models."""
    groups = joined([tree.result() for tree in trees])
    if space.sized or not space.hereditary:
        return groups
    keep = judge_groups(space, groups)
    return groups._replace(
        starts=groups.starts[keep],
        sizes=groups.sizes[keep],
        losses=groups.losses[keep],
        nodes=groups.nodes[keep],
    )


def propose(
    space: LocalSpace,
    state: MeasuredAssignment,
    groups: PeeledGroups,
    draw: np.random.Generator,
    allowed: float = 0.0,
) -> Move:
    """Change an assignment at a venture, and tell which parts of the change pay."""
    assignment = state.assignment
    anger, loyalty = _one_of(ANGER, draw), _one_of(LOYALTY, draw)
    locked = (draw.random(assignment.n_classes) < _one_of(LOCKED, draw)).astype(np.int32)
    labels = assignment.labels.copy()
    opened = open_groups(
        space.items,
        groups,
        rank(groups.losses, _one_of(NOISE, draw), space.price, draw),
        labels,
        np.append(state.losses, space.price)[labels],
        state.members,
        state.starts,
        state.sizes.copy(),
        locked,
        space.least,
        space.price,
        anger,
        loyalty,
    )
    nodes = np.concatenate([assignment.nodes, groups.nodes[opened]])
    if not space.sized:
        labels = mend(space, assignment, labels, len(nodes))
    labels, nodes = house(space, labels, nodes, draw)
    return weigh(space, state, labels, nodes, allowed)


def _one_of(choices: tuple[float, ...], draw: np.random.Generator) -> float:
    """Draw one of some numbers, as ``draw.choice`` does in ten times the time."""
    return choices[int(draw.integers(len(choices)))]


def rank(losses: Floats, noise: float, price: float, draw: np.random.Generator) -> Ints:
    """Order groups by loss, shaken by log-normal ``noise``.

    Losses are rounded to 16 bits, which sort in linear time.
    """
    shaken = losses * np.exp(noise * draw.standard_normal(len(losses))) if noise else losses
    steps = np.minimum(shaken * (65535.0 / price), 65535.0).astype(np.uint16)
    return np.argsort(steps, kind="stable")


def mend(space: LocalSpace, assignment: Assignment, labels: Codes, n_classes: int) -> Codes:
    """Undo openings that fail a model, and dissolve the classes that fail without their members."""
    failing = _failing(space, assignment.labels, labels, n_classes)
    failing[: assignment.n_classes] = False
    undone = (labels == OUTSIDE) | np.append(failing, False)[labels]
    labels = np.where(undone, assignment.labels, labels)
    failing = _failing(space, assignment.labels, labels, n_classes)
    return np.where(np.append(failing, False)[labels], np.int32(OUTSIDE), labels)


def _failing(space: LocalSpace, before: Codes, after: Codes, n_classes: int) -> Bools:
    """Return per class whether it changed and fails a model now: (n_classes,)."""
    moved = before != after
    changed = np.zeros(n_classes + 1, np.bool_)
    changed[before[moved]] = True
    changed[after[moved]] = True
    changed[OUTSIDE] = False
    present = np.zeros(n_classes + 1, np.bool_)
    present[after] = True
    chosen = np.flatnonzero(changed & present)
    failing = np.zeros(n_classes, np.bool_)
    if len(chosen):
        place = np.full(n_classes + 1, OUTSIDE, np.int32)
        place[chosen] = np.arange(len(chosen), dtype=np.int32)
        members, starts = Assignment(place[after], np.empty((len(chosen), 0), np.int32)).members()
        failing[chosen] = ~space.judge(members, starts)
    return failing


def house(
    space: LocalSpace, labels: Codes, nodes: Codes, draw: np.random.Generator
) -> tuple[Codes, Codes]:
    """Return every homeless item a class that contains it, open or new, where there is one."""
    homeless = np.flatnonzero(labels == OUTSIDE).astype(np.int32)
    if len(homeless) == 0:
        return labels, nodes
    state = Assignment(labels, nodes)
    representatives = state.representatives()
    cells = node_cells(space, nodes, representatives)
    losses = space.items.costs[cells].sum(axis=1)
    is_open = labels[representatives] == np.arange(len(nodes))
    order = np.flatnonzero(is_open)
    columns = np.argsort(space.shares[cells[order]].sum(axis=0), kind="stable")
    keys = cells[:, columns[0]]
    order = order[np.lexsort((losses[order], keys[order]))]
    begins = np.searchsorted(keys[order], np.arange(len(space.shares) + 1))
    word = draw.integers(0, 2**64, dtype=np.uint64)
    looks = ProposalTrees().looks_for(nodes.shape[1])
    groups = grow_tree(space.items, homeless, space.least, looks, space.price, word)
    ranking = np.argsort(groups.losses, kind="stable")
    first_label = len(nodes)

    def fill(ranking: Ints) -> Codes:
        return house_items(
            space.items,
            groups,
            ranking,
            homeless,
            labels,
            nodes,
            cells,
            losses,
            order,
            begins,
            columns,
            first_label,
            space.least,
        )

    before = labels.copy()
    opened = fill(ranking)
    if not space.sized and len(opened):
        failing = _failing(space, before, labels, first_label + len(opened))
        failing[:first_label] = False
        labels[np.append(failing, False)[labels]] = OUTSIDE
        fill(ranking[:0])
    return labels, np.concatenate([nodes, groups.nodes[opened]])


def weigh(
    space: LocalSpace, state: MeasuredAssignment, labels: Codes, nodes: Codes, allowed: float = 0.0
) -> Move:
    """Return which independent parts of a change pay and leave every class whole.

    A part that adds less than ``allowed`` to the loss counts as paying.
    """
    assignment, n_classes = state.assignment, len(nodes)
    after = Assignment(labels, nodes.copy())
    members, starts = after.members()
    delta = after.sizes(space) * tighten_classes(space.items, members, starts, after.nodes)
    delta[: assignment.n_classes] -= state.sizes * state.losses
    parts = components(assignment.labels, labels, n_classes)
    weights = space.items.weights
    rescued = (assignment.labels == OUTSIDE) & (labels != OUTSIDE)
    delta -= space.price * np.bincount(labels[rescued], weights[rescued], n_classes)
    gains = np.bincount(parts, delta, n_classes) < allowed - GAIN
    lost = (assignment.labels != OUTSIDE) & (labels == OUTSIDE)
    gains[parts[assignment.labels[lost]]] = False
    if not space.sized:
        gains[parts[_failing(space, assignment.labels, labels, n_classes)]] = False
    return Move(labels, after.nodes, parts, gains[parts])


def made(space: LocalSpace, assignment: Assignment, moves: Sequence[Move]) -> Assignment:
    """Make the parts that pay, of each move those that touch no class changed by one before."""
    n_before = assignment.n_classes
    labels, nodes = assignment.labels.copy(), assignment.nodes.copy()
    changed = np.zeros(n_before, np.bool_)
    for move in moves:
        barred = np.zeros(len(move.nodes), np.bool_)
        barred[move.parts[:n_before][changed]] = True
        chosen = move.pays & ~barred[move.parts]
        moved = (assignment.labels != move.labels) & (move.labels != OUTSIDE)
        moved[moved] = chosen[move.labels[moved]]
        shift = np.where(move.labels < n_before, 0, len(nodes) - n_before)
        labels[moved] = (move.labels + shift)[moved]
        nodes[:n_before][chosen[:n_before]] = move.nodes[:n_before][chosen[:n_before]]
        nodes = np.concatenate([nodes, move.nodes[n_before:]])
        changed |= chosen[:n_before]
    return settled(space, Assignment(labels, nodes))


def combined(space: LocalSpace, one: Assignment, other: Assignment) -> Assignment:
    """Return the better of two assignments in every part in which they are independent."""
    labels = np.where(other.labels == OUTSIDE, OUTSIDE, other.labels + one.n_classes)
    nodes = np.concatenate([one.nodes, other.nodes])
    return made(space, one, [weigh(space, measured(space, one), labels.astype(np.int32), nodes)])


def settled(space: LocalSpace, assignment: Assignment) -> Assignment:
    """Drop empty classes, and join those with equal cells where that is harmless."""
    present = np.zeros(assignment.n_classes + 1, np.bool_)
    present[assignment.labels] = True
    present = present[:-1]
    number = np.append(np.cumsum(present) - 1, OUTSIDE).astype(np.int32)
    kept = Assignment(number[assignment.labels], np.ascontiguousarray(assignment.nodes[present]))
    return merged(space, kept) if space.additive else kept
