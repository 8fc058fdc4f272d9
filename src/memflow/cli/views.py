"""How answers, turns and facts look to a reader: lines of text, nothing is printed here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from memflow.cli.output import clean, plural

if TYPE_CHECKING:
    from memflow.types import Answer, Fact, Hit, Source, Turn

_PIPE_CLIP = 400  # evidence is a reminder, not the archive: `memflow get ID` has the whole turn


def when(moment: datetime | None) -> str:
    """Sixteen columns, so that lines stay level."""
    return moment.strftime("%Y-%m-%d %H:%M") if moment else "(no date)".ljust(16)


def line(lead: str, text: str, width: int | None, *, tail: str = "") -> Text:
    """`lead text tail` on one line of `width` columns; None leaves the text whole."""
    body = Text(" ".join(clean(text).split()))
    lead, tail = clean(lead), clean(tail)
    if width is not None:
        room = width - cell_len(lead) - cell_len(tail) - 2
        body.truncate(max(room, 20), overflow="ellipsis")
    return Text.assemble((lead, "cyan"), " ", body, (f" {tail}" if tail else "", "dim"))


def source_line(source: Source, width: int | None) -> Text:
    lead = f"  {when(source.time)}  {source.speaker}:"
    if width is None and len(source.text) > _PIPE_CLIP:
        return line(lead, source.text[:_PIPE_CLIP] + "…", None)
    return line(lead, source.text, width)


def turn_line(turn: Turn, width: int | None) -> Text:
    return line(f"{when(turn.time)}  {turn.speaker}:", turn.text, width, tail=f"[{turn.id}]")


def hit_lines(rank: int, hit: Hit, width: int | None) -> Iterator[Text]:
    """The turn, then where each leg of the search had it."""
    turn = hit.chunk.turn
    yield line(f"{rank:>2}  {when(turn.time)}  {turn.speaker}:", hit.chunk.text, width)
    legs = ", ".join(f"{name} {place}" for name, place in sorted(hit.ranks.items()))
    yield Text(f"    {hit.score:.3f}; {legs}; {clean(turn.id)}", style="dim")


def answer_lines(answer: Answer, seconds: float, width: int | None) -> Iterator[Text]:
    """The answer first; then how it came about; then what it rests on."""
    yield Text(clean(answer.text), style="yellow" if answer.abstained else "bold")
    if answer.reason:
        yield Text(f"  {'abstained: ' if answer.abstained else ''}{clean(answer.reason)}")
    yield Text("  " + cost(answer, seconds), style="dim")
    yield from (source_line(source, width) for source in answer.evidence)


def cost(answer: Answer, seconds: float) -> str:
    """Intent, layer and what was spent."""
    parts = [
        f"{answer.intent.value} ({answer.route.layer.value})",
        plural(answer.usage.model_calls, "model call"),
        f"{answer.usage.total:,} tokens",
        f"{seconds:.1f} s",
    ]
    if answer.escalated:
        parts.insert(1, "escalated")
    return " · ".join(parts)


def fact_line(fact: Fact, width: int | None, *, dated: bool = False) -> Text:
    lead = f"{when(fact.time)}  " if dated else ""
    stale = "  (replaced since)" if dated and fact.superseded_by is not None else ""
    return line(f"{lead}{fact.subject} · {fact.key}:", fact.value + stale, width)


def pairs(values: Mapping[str, Any]) -> Table:
    """Names and values in two columns."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in values.items():
        table.add_row(name, Text(clean(_shown(value))))
    return table


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """Plain columns under plain heads; heads that start with '>' stand right."""
    grid = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    for head in heads:
        grid.add_column(
            head.removeprefix(">"),
            justify="right" if head.startswith(">") else "left",
            overflow="fold",
            no_wrap=head is heads[0],  # a name has to stay one word, to be copied
        )
    for row in rows:
        grid.add_row(*(Text(clean(cell)) for cell in row))
    return grid


def _shown(value: Any) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case datetime():
            return when(value.astimezone())
        case float():
            return f"{value:.3g}"
        case _:
            return str(value)
