"""A page with one of every component, some of them with texts that must be escaped."""

from indistinct.frontends.report.charts.bars import Bar, bar_chart
from indistinct.frontends.report.charts.heat_map import heat_map
from indistinct.frontends.report.charts.pairs import Pair, pair_chart
from indistinct.frontends.report.components import (
    Callout,
    Charts,
    Code,
    Figure,
    Figures,
    FormLines,
    Heading,
    Listing,
    Page,
    Paragraph,
    Section,
    Table,
    Tone,
)

HOSTILE = "<script>alert(1)</script> & \"so on\" 'here'"


def every_component() -> Page:
    words = Section(
        "words",
        "Words and figures",
        [
            Paragraph("A lead says the most important thing first.", lead=True),
            Figures([Figure(f"figure {tone}", "12,345", "What it means.", tone) for tone in Tone]),
            *(Callout("Mind this.", "And here is the reason for it.", tone) for tone in Tone),
            Heading("A heading"),
            Listing(["First sentence.", HOSTILE]),
            Table("What a table shows", ("name", "number"), [("a", "1"), (HOSTILE, "2")], (1,)),
            Code("What it is", "indistinct verify release.csv\n" + HOSTILE),
            FormLines("To be filled in.", [("purpose", ""), ("contact", "The data office")]),
        ],
    )
    bars = [Bar("age", (0.5, 0.3, 0.2), "50 % at level 0"), Bar(HOSTILE, (0, 0.1, 0.9), "0 %")]
    levels = bar_chart(
        "levels",
        "Levels per column",
        "Half of the ages are kept.",
        bars,
        heads=("column", "kept"),
        legend=("as it was", "level 1", "level 2"),
    )
    ages = Pair(
        [f"{n}-{n + 9}" for n in range(0, 100, 10)], [0.1] * 10, [0.05, 0.15] * 5, in_order=True
    )
    jobs = Pair(["clerk", HOSTILE], [0.8, 0.2], [0.75, 0.25])
    pairs = Charts(
        [
            pair_chart("pair-age", "Age", "Ages before and after.", ages),
            pair_chart("pair-job", "Job", "Jobs before and after.", jobs),
        ]
    )
    figures = [[None, -0.31, 0.002], [-0.31, None, 0.12], [0.002, 0.12, None]]
    heat = heat_map(
        "heat", "Change of association", "Age and job lose most.", ("age", "job", HOSTILE), figures
    )
    charts = Section("charts", "Charts", [levels, pairs, heat])
    return Page(HOSTILE, "What it is about.", "For the owner of the data alone", [words, charts])
