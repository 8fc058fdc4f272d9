"""Dates: message times, expressions in three languages, annotation, arithmetic, words.

The anchor of the tables is Wednesday 10 May 2023. Expected days were worked out by hand from a
calendar, not by running the code.
"""

from __future__ import annotations

import time as clock
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memflow.dates
from memflow.dates import (
    DateMention,
    Interval,
    Precision,
    Unit,
    annotate,
    days_between,
    describe_interval,
    find_dates,
    format_date,
    format_mention,
    format_time,
    interval,
    months_between,
    parse_time,
    unit_asked,
    weeks_between,
)
from memflow.dates.folding import fold
from memflow.dates.grammar import compile_language, placeholders
from memflow.dates.language import Rule
from memflow.dates.resolve import resolve
from memflow.dates.scene import Fields, Scene
from memflow.dates.tables import LANGUAGES

ANCHOR = datetime(2023, 5, 10, 14, 30, tzinfo=UTC)
DAYS = st.dates(date(1900, 1, 1), date(2200, 12, 31))


def on(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, 12, tzinfo=UTC)


def only(text: str, anchor: datetime = ANCHOR) -> DateMention:
    [mention] = find_dates(text, anchor)
    return mention


def resolved(text: str, anchor: datetime = ANCHOR) -> tuple[str, str, str]:
    mention = only(text, anchor)
    return mention.first.isoformat(), mention.last.isoformat(), mention.precision.value


# --------------------------------------------------------------------------- expressions

# Sentence with the mention in «», first day, last day ("" when the same), precision.
ENGLISH = """
«today» I ran                                | 2023-05-10 |            | day
see you «tonight»                            | 2023-05-10 |            | day
«this morning» it rained                     | 2023-05-10 |            | day
I ran «yesterday»                            | 2023-05-09 |            | day
«Yesterday evening» we ate                   | 2023-05-09 |            | day
«yesterday»'s game                           | 2023-05-09 |            | day
«last night» was fun                         | 2023-05-09 |            | day
«the day before yesterday» I fell            | 2023-05-08 |            | day
«the day after tomorrow» I leave             | 2023-05-12 |            | day
I leave «tomorrow»                           | 2023-05-11 |            | day
I went «last Friday»                         | 2023-05-05 |            | day
a parade «last fri» and it rocked            | 2023-05-05 |            | day
I joined it «last Tues».                     | 2023-05-09 |            | day
«last Wednesday» I swam                      | 2023-05-03 |            | day
I won «last Sat», not Sunday                  | 2023-05-06 |            | day
«this past Sunday» I rested                  | 2023-05-07 |            | day
«the Friday before last» I swam              | 2023-04-28 |            | day
«two Fridays ago» I swam                     | 2023-04-28 |            | day
«next Friday» works                          | 2023-05-12 |            | day
«next Wednesday» works                       | 2023-05-17 |            | day
On «Friday» I met Bob                        | 2023-05-05 |            | day
On «Friday» I'm meeting Bob                  | 2023-05-12 |            | day
I will see Bob on «Friday», as I said        | 2023-05-12 |            | day
The exam is on «Friday»                      | 2023-05-12 |            | day
I bought it on «Friday», and I'm happy       | 2023-05-05 |            | day
«this Friday» is free                        | 2023-05-12 |            | day
«this Monday» I fell                         | 2023-05-08 |            | day
«this Wednesday» I fell                      | 2023-05-10 |            | day
sick since «Monday»                          | 2023-05-08 |            | day
send it by «Monday»                          | 2023-05-15 |            | day
I swam «last week»                           | 2023-05-01 | 2023-05-07 | week
«this week» is busy                          | 2023-05-08 | 2023-05-14 | week
«next week» too                              | 2023-05-15 | 2023-05-21 | week
«the week before last» I swam                | 2023-04-24 | 2023-04-30 | week
«earlier this week» I swam                   | 2023-05-08 | 2023-05-10 | week
«later this week» we leave                   | 2023-05-10 | 2023-05-14 | week
«last weekend» was calm                      | 2023-05-06 | 2023-05-07 | weekend
«this weekend» we hike                       | 2023-05-13 | 2023-05-14 | weekend
«next weekend» we hike                       | 2023-05-20 | 2023-05-21 | weekend
«two weekends ago» we hiked                  | 2023-04-29 | 2023-04-30 | weekend
over «the weekend» I slept                   | 2023-05-06 | 2023-05-07 | weekend
I moved «last month»                         | 2023-04-01 | 2023-04-30 | month
«this month» I rest                          | 2023-05-01 | 2023-05-31 | month
«next month» we go                           | 2023-06-01 | 2023-06-30 | month
«the month before last» we went              | 2023-03-01 | 2023-03-31 | month
«earlier this month» we went                 | 2023-05-01 | 2023-05-10 | month
«last year» I quit                           | 2022-01-01 | 2022-12-31 | year
«next year» I start                          | 2024-01-01 | 2024-12-31 | year
«later this year» I start                    | 2023-05-10 | 2023-12-31 | year
«three days ago» I fell                      | 2023-05-07 |            | day
«12 days ago» I fell                         | 2023-04-28 |            | day
«about three days ago» I fell                | 2023-05-07 |            | approximate
«a couple of days ago» I fell                | 2023-05-06 | 2023-05-10 | approximate
«a few days ago» I fell                      | 2023-05-05 | 2023-05-09 | approximate
«two weeks ago» I fell                       | 2023-04-26 |            | approximate
«a week ago» I fell                          | 2023-05-03 |            | approximate
«exactly two weeks ago» I fell               | 2023-04-26 |            | day
my dog died «a year ago today»               | 2022-05-10 |            | day
«two or three weeks ago» I fell              | 2023-04-12 | 2023-04-26 | approximate
«a few weeks ago» I fell                     | 2023-04-12 | 2023-04-26 | approximate
«two months ago» I fell                      | 2023-03-10 |            | approximate
«exactly two months ago» I fell              | 2023-03-10 |            | day
«ten years ago» I fell                       | 2013-01-01 | 2013-12-31 | year
«about a year ago» I fell                    | 2021-11-09 | 2022-11-08 | approximate
I will go «in two weeks»                     | 2023-05-24 |            | approximate
I'll go «in 3 days»                          | 2023-05-13 |            | day
«3 weeks from now» I rest                    | 2023-05-31 |            | approximate
In «March» I ran                             | 2023-03-01 | 2023-03-31 | month
back in «july» I ran                         | 2022-07-01 | 2022-07-31 | month
We will go in «July»                         | 2023-07-01 | 2023-07-31 | month
«last March» I ran                           | 2023-03-01 | 2023-03-31 | month
«last May» I ran                             | 2022-05-01 | 2022-05-31 | month
«next March» I run                           | 2024-03-01 | 2024-03-31 | month
in «early February» I ran                    | 2023-02-01 | 2023-02-10 | month
«mid-March 2022» was hot                     | 2022-03-11 | 2022-03-20 | month
it was «May 2021» then                       | 2021-05-01 | 2021-05-31 | month
«last summer» I swam                         | 2022-06-01 | 2022-08-31 | season
«last winter» I skied                        | 2022-12-01 | 2023-02-28 | season
«this summer» I go                           | 2023-06-01 | 2023-08-31 | season
the «summer of 2019» was hot                 | 2019-06-01 | 2019-08-31 | season
on «the 5th» I ran                           | 2023-05-05 |            | day
on «the 20th» I ran                          | 2023-04-20 |            | day
I'll pay on «the 20th».                      | 2023-05-20 |            | day
born «8 May 2021» here                       | 2021-05-08 |            | day
born on «the 8th of May, 2021» here          | 2021-05-08 |            | day
«Friday, May 5, 2023» was fun                | 2023-05-05 |            | day
I ran on «March 15th»                        | 2023-03-15 |            | day
I run on «may 12»                            | 2023-05-12 |            | day
I'll run on «March 15»                       | 2024-03-15 |            | day
I ran on «Sept. 5» there                     | 2022-09-05 |            | day
the fair («June 16-19, 2022») was fun        | 2022-06-16 | 2022-06-19 | day
«the week of 3 April» was calm               | 2023-04-03 | 2023-04-09 | week
I moved in «2019»                            | 2019-01-01 | 2019-12-31 | year
here since «2016».                           | 2016-01-01 | 2016-12-31 | year
due «2023-06-01» at noon                     | 2023-06-01 |            | day
due «6/1/2023» at noon                       | 2023-06-01 |            | day
due «25/12/2023» at noon                     | 2023-12-25 |            | day
we fished on «2/15»                          | 2023-02-15 |            | day
"""

PORTUGUESE = """
«hoje» choveu                                | 2023-05-10 |            | day
«ontem à noite» choveu                       | 2023-05-09 |            | day
fui lá «anteontem»                           | 2023-05-08 |            | day
«amanhã» vou lá                              | 2023-05-11 |            | day
«depois de amanhã» vou lá                    | 2023-05-12 |            | day
na «semana passada» choveu                   | 2023-05-01 | 2023-05-07 | week
a «semana que vem» é livre                   | 2023-05-15 | 2023-05-21 | week
na «próxima semana» vou                      | 2023-05-15 | 2023-05-21 | week
na «semana retrasada» choveu                 | 2023-04-24 | 2023-04-30 | week
no «fim de semana passado» choveu            | 2023-05-06 | 2023-05-07 | weekend
no «mês passado» mudei                       | 2023-04-01 | 2023-04-30 | month
no «mes passado» mudei                       | 2023-04-01 | 2023-04-30 | month
no «ano passado» mudei                       | 2022-01-01 | 2022-12-31 | year
mudei «há duas semanas»                      | 2023-04-26 |            | approximate
mudei «faz três dias»                        | 2023-05-07 |            | day
mudei «há alguns dias»                       | 2023-05-05 | 2023-05-09 | approximate
mudei «dois dias atrás»                      | 2023-05-08 |            | day
mudei «há cinco anos»                        | 2018-01-01 | 2018-12-31 | year
casei «faz hoje um ano»                      | 2022-05-10 |            | day
volto «daqui a três dias»                    | 2023-05-13 |            | day
vou lá «em três dias»                        | 2023-05-13 |            | day
na «sexta-feira passada» choveu              | 2023-05-05 |            | day
«sexta passada» choveu                       | 2023-05-05 |            | day
no «próximo sábado» chove                    | 2023-05-13 |            | day
na «segunda-feira» fui lá                    | 2023-05-08 |            | day
no «sábado» vou lá                           | 2023-05-13 |            | day
em «março» choveu                            | 2023-03-01 | 2023-03-31 | month
em «março de 2021» choveu                    | 2021-03-01 | 2021-03-31 | month
nasceu em «8 de maio de 2021» aqui           | 2021-05-08 |            | day
foi no «dia 15 de março» aqui                | 2023-03-15 |            | day
«primeiro de maio» foi bom                   | 2023-05-01 |            | day
fui lá no «dia 5».                           | 2023-05-05 |            | day
no «verão passado» nadei                     | 2022-06-01 | 2022-08-31 | season
aqui desde «2016»                            | 2016-01-01 | 2016-12-31 | year
comprei o carro que vi em «5/8/2022» aqui    | 2022-08-05 |            | day
"""

SPANISH = """
«hoy» llovió                                 | 2023-05-10 |            | day
«ayer por la mañana» llovió                  | 2023-05-09 |            | day
«anoche» llovió                              | 2023-05-09 |            | day
fui «anteayer»                               | 2023-05-08 |            | day
«mañana» voy                                 | 2023-05-11 |            | day
«mañana por la mañana» voy                   | 2023-05-11 |            | day
«pasado mañana» voy                          | 2023-05-12 |            | day
«esta mañana» llovió                         | 2023-05-10 |            | day
la «semana pasada» llovió                    | 2023-05-01 | 2023-05-07 | week
la «próxima semana» voy                      | 2023-05-15 | 2023-05-21 | week
la «semana que viene» voy                    | 2023-05-15 | 2023-05-21 | week
el «fin de semana pasado» llovió             | 2023-05-06 | 2023-05-07 | weekend
el «mes pasado» llovió                       | 2023-04-01 | 2023-04-30 | month
el «año pasado» llovió                       | 2022-01-01 | 2022-12-31 | year
llovió «hace dos semanas»                    | 2023-04-26 |            | approximate
llovió «hace tres días»                      | 2023-05-07 |            | day
llovió «hace un par de días»                 | 2023-05-06 | 2023-05-10 | approximate
llovió «hace unos meses»                     | 2023-01-11 | 2023-03-12 | approximate
«hoy hace un año» que llovió                 | 2022-05-10 |            | day
volveré «dentro de tres días»                | 2023-05-13 |            | day
voy a ir «en tres días»                      | 2023-05-13 |            | day
el «viernes pasado» llovió                   | 2023-05-05 |            | day
el «próximo sábado» voy                      | 2023-05-13 |            | day
el «viernes que viene» voy                   | 2023-05-12 |            | day
el «viernes» fui a casa                      | 2023-05-05 |            | day
el «viernes» voy a ir a casa                 | 2023-05-12 |            | day
en «marzo» llovió                            | 2023-03-01 | 2023-03-31 | month
a «finales de junio» voy                     | 2023-06-21 | 2023-06-30 | month
a «principios de marzo» llovió               | 2023-03-01 | 2023-03-10 | month
nació el «8 de mayo de 2021» aquí            | 2021-05-08 |            | day
nació el «8 de mayo del 2021» aquí           | 2021-05-08 |            | day
fue el «viernes 5 de mayo» aquí              | 2023-05-05 |            | day
fui el «día 5».                              | 2023-05-05 |            | day
el «verano pasado» nadé                      | 2022-06-01 | 2022-08-31 | season
aquí desde «2016»                            | 2016-01-01 | 2016-12-31 | year
"""


def rows(table: str) -> list[tuple[str, str, str, str]]:
    found = []
    for line in table.strip().splitlines():
        sentence, first, last, precision = (cell.strip() for cell in line.split("|"))
        found.append((sentence, first, last or first, precision))
    return found


EXPRESSIONS = rows(ENGLISH) + rows(PORTUGUESE) + rows(SPANISH)


@pytest.mark.parametrize(("marked", "first", "last", "precision"), EXPRESSIONS)
def test_expression(marked: str, first: str, last: str, precision: str) -> None:
    before, said, _ = marked.replace("»", "«").split("«")
    text = marked.replace("«", "").replace("»", "")
    mention = only(text)
    assert (mention.text, mention.start) == (said, len(before))
    assert text[mention.start : mention.end] == mention.text
    assert resolved(text) == (first, last, precision)


def test_the_table_is_broad() -> None:
    assert len(rows(ENGLISH)) >= 60
    assert len(rows(PORTUGUESE)) >= 30
    assert len(rows(SPANISH)) >= 30


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "You may go, and it may 8 times out of 10 work",
        "this may be true; the last may leave",
        "they march on; march 5 miles; I march in line",
        "a second opinion, the second time",
        "I sat down. The last sat there. I next sat down",
        "the sun rose; last sun of the day",
        "room 2019 has 2019 chairs and costs $2020",
        "a total of 2019 of them",
        "in 2000 steps you arrive; 1.2.2023.4 is a version",
        "every Friday, on Fridays, on Friday mornings, Black Friday",
        "in the last month, the next day, the last week of it, my last year there",
        "I finished it in two weeks; twice in a month",
        "last time, next steps, this one, the other way",
        "30 February 2023 and 2023-13-01 and on the 32nd",
        "the 5th floor, on the 5th floor",
        "we mark the fall of prices, and spring up",
        "a segunda vez, na segunda vez, a quarta parte, na quinta temporada",
        "hoje em dia, de manhã, um domingo qualquer",
        "por la mañana, la mañana, de la mañana, una mañana, toda la mañana, buena mañana",
        "hoy en día, los viernes, con mayo y marzo",
        "há três meses e meio, hace un año y medio, a year and a half ago",
        "cada semana, todos los meses",
        "昨日は楽しかった 🎉",
    ],
)
def test_no_date(text: str) -> None:
    assert find_dates(text, ANCHOR) == ()


def test_longest_wins_and_order_is_by_place() -> None:
    text = "Ontem, yesterday and the day before yesterday; Friday, May 5, 2023, hace dos días"
    assert [mention.text for mention in find_dates(text, ANCHOR)] == [
        "Ontem",
        "yesterday",
        "the day before yesterday",
        "Friday, May 5, 2023",
        "hace dos días",
    ]


def test_relative_means_that_the_words_do_not_name_the_date() -> None:
    text = "yesterday, last March, May 8, in March, 8 May 2023, since 2016, summer of 2019"
    assert [(mention.text, mention.relative) for mention in find_dates(text, ANCHOR)] == [
        ("yesterday", True),
        ("last March", True),
        ("May 8", False),
        ("March", False),
        ("8 May 2023", False),
        ("2016", False),
        ("summer of 2019", False),
    ]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("the battle (31 May – 1 June 1916)", [("1916-05-31",) * 2, ("1916-06-01",) * 2]),
        ("May 3 and June 5, 2021 it is", [("2021-05-03",) * 2, ("2021-06-05",) * 2]),
        (
            "May 3, June 5 and July 7, 2021",
            [(f"2021-{d}",) * 2 for d in ("05-03", "06-05", "07-07")],
        ),
        ("from 30 December to 2 January 2020", [("2019-12-30",) * 2, ("2020-01-02",) * 2]),
        (
            "in February and March 2020",
            [("2020-02-01", "2020-02-29"), ("2020-03-01", "2020-03-31")],
        ),
        ("I ran on March 3. June 5, 2021 was hot", [("2023-03-03",) * 2, ("2021-06-05",) * 2]),
    ],
)
def test_joined_dates_share_the_year(text: str, days: list[tuple[str, str]]) -> None:
    found = find_dates(text, ANCHOR)
    assert [(m.first.isoformat(), m.last.isoformat()) for m in found] == days


def test_old_years_count_after_a_month_only() -> None:
    assert only("she died on 25 April 1695 in Rome").first == date(1695, 4, 25)
    assert only("founded in 1871.").first == date(1871, 1, 1)
    assert find_dates("in 1695 of them", ANCHOR) == ()


def test_a_range_of_years_gives_both() -> None:
    found = find_dates("I studied from 2010 to 2014", ANCHOR)
    assert [mention.first.year for mention in found] == [2010, 2014]


@pytest.mark.parametrize(
    ("text", "anchor", "first", "last"),
    [
        ("yesterday", on(2024, 3, 1), "2024-02-29", "2024-02-29"),
        ("yesterday", on(2023, 3, 1), "2023-02-28", "2023-02-28"),
        ("yesterday", on(2023, 1, 1), "2022-12-31", "2022-12-31"),
        ("tomorrow", on(2023, 12, 31), "2024-01-01", "2024-01-01"),
        ("last week", on(2023, 1, 4), "2022-12-26", "2023-01-01"),
        ("last month", on(2023, 1, 31), "2022-12-01", "2022-12-31"),
        ("last month", on(2024, 3, 31), "2024-02-01", "2024-02-29"),
        ("exactly one month ago", on(2024, 3, 31), "2024-02-29", "2024-02-29"),
        ("exactly one year ago", on(2024, 2, 29), "2023-02-28", "2023-02-28"),
        ("last Friday", on(2023, 5, 5), "2023-04-28", "2023-04-28"),
        ("next Friday", on(2023, 5, 5), "2023-05-12", "2023-05-12"),
        ("last weekend", on(2023, 5, 7), "2023-04-29", "2023-04-30"),
        ("this weekend", on(2023, 5, 7), "2023-05-06", "2023-05-07"),
        ("this weekend was fun", on(2023, 5, 8), "2023-05-06", "2023-05-07"),
        ("I hiked this weekend", on(2023, 5, 7), "2023-05-06", "2023-05-07"),
        ("I ran on May 10", on(2023, 5, 10), "2023-05-10", "2023-05-10"),
        ("I will run on May 10", on(2023, 5, 10), "2023-05-10", "2023-05-10"),
        ("last winter", on(2024, 3, 10), "2023-12-01", "2024-02-29"),
        ("last summer", on(2023, 8, 10), "2022-06-01", "2022-08-31"),
        ("this summer", on(2023, 8, 10), "2023-06-01", "2023-08-31"),
        ("this summer I swam", on(2023, 2, 10), "2022-06-01", "2022-08-31"),
        ("last December", on(2023, 1, 10), "2022-12-01", "2022-12-31"),
        ("next January", on(2023, 1, 10), "2024-01-01", "2024-01-31"),
        ("born on 29 February", on(2023, 5, 10), "2024-02-29", "2024-02-29"),
        ("I fell on 29 February", on(1903, 5, 10), "1896-02-29", "1896-02-29"),
        ("it is December 30", on(2023, 1, 2), "2023-12-30", "2023-12-30"),
        ("December 30 then", on(2023, 1, 2), "2022-12-30", "2022-12-30"),
        ("on the 31st I ran", on(2023, 5, 10), "2023-03-31", "2023-03-31"),
        ("I'll run on the 31st", on(2023, 2, 10), "2023-03-31", "2023-03-31"),
    ],
)
def test_edges_of_months_and_years(text: str, anchor: datetime, first: str, last: str) -> None:
    assert resolved(text, anchor)[:2] == (first, last)


def test_the_anchors_own_date_counts_not_utc() -> None:
    late = datetime(2023, 5, 10, 23, 30, tzinfo=ZoneInfo("America/Los_Angeles"))
    assert late.astimezone(UTC).date() == date(2023, 5, 11)
    assert only("yesterday", late).first == date(2023, 5, 9)
    early = datetime(2023, 5, 11, 1, 0, tzinfo=timezone(timedelta(hours=14)))
    assert only("yesterday", early).first == date(2023, 5, 10)


def test_clock_changes_do_not_shift_days() -> None:
    lisbon = ZoneInfo("Europe/Lisbon")
    after = datetime(2023, 3, 27, 0, 30, tzinfo=lisbon)  # clocks went forward on the 26th
    assert only("two days ago", after).first == date(2023, 3, 25)
    assert days_between(datetime(2023, 3, 25, 23, 30, tzinfo=lisbon), after) == 2


def test_far_dates_and_impossible_anchors_are_no_error() -> None:
    assert find_dates("900 years ago, last week, last summer", on(1, 1, 2)) == ()
    assert find_dates("next week, next summer, tomorrow", on(9999, 12, 31)) == ()


def test_accents_case_and_composition_do_not_matter() -> None:
    decomposed = "amanha\u0303 vou, 8 de marc\u0327o de 2021"
    assert [(m.text, m.first) for m in find_dates(decomposed, ANCHOR)] == [
        ("amanha\u0303", date(2023, 5, 11)),
        ("8 de marc\u0327o de 2021", date(2021, 3, 8)),
    ]
    assert only("AMANHÃ").first == only("amanha").first == date(2023, 5, 11)
    assert only("LAST FRIDAY").first == date(2023, 5, 5)
    assert only("🎉🎉 ﬁne, last\u00a0Friday 🎉").text == "last\u00a0Friday"


def test_a_mention_may_be_the_whole_text() -> None:
    mention = only("yesterday")
    assert (mention.start, mention.end) == (0, 9)


def test_seasons_turn_round_in_the_south() -> None:
    text = "no verão passado"
    [north] = find_dates(text, ANCHOR)
    [south] = find_dates(text, ANCHOR, southern=True)
    assert (north.first, north.last) == (date(2022, 6, 1), date(2022, 8, 31))
    assert (south.first, south.last) == (date(2022, 12, 1), date(2023, 2, 28))
    assert annotate(text, ANCHOR) == "no verão passado [summer 2022]"
    assert annotate(text, ANCHOR, southern=True) == "no verão passado [summer 2022–23]"


def test_middle_is_the_best_single_day() -> None:
    assert only("I fell a few weeks ago").middle == date(2023, 4, 19)
    assert only("I fell a couple of weeks ago").middle == date(2023, 4, 26)
    assert only("yesterday").middle == date(2023, 5, 9)


def test_numbers_are_read_in_the_texts_language() -> None:
    assert only("it was sent on 5/8/2022 to the bank").first == date(2022, 5, 8)
    assert only("se envió el 5/8/2022 y lo vi en el banco").first == date(2022, 8, 5)
    assert only("sent 05.08.2022").first == date(2022, 8, 5)
    assert only("sent 05/08/98").first == date(1998, 5, 8)


def test_twenty_sentences_take_a_few_milliseconds() -> None:
    sentence = (
        "I went to the market with my sister last Friday, and we will go again in two weeks. "
    )
    text = sentence * 20
    find_dates(text, ANCHOR)  # compiles the tables
    times = []
    for _ in range(5):
        begun = clock.perf_counter()
        found = find_dates(text, ANCHOR)
        times.append(clock.perf_counter() - begun)
    assert len(found) == 40
    assert min(times) < 0.05  # about 5 ms here; loose for slow machines


# --------------------------------------------------------------------------- properties

SAID = st.sampled_from(
    [marked.replace("«", "").replace("»", "") for marked, *_ in EXPRESSIONS]
    + ["no date here", "naïve café 🎉", "[in brackets yesterday]", "the 5th", "May 8", "in"]
)
TEXTS = st.lists(SAID, max_size=5).flatmap(
    lambda parts: st.sampled_from([". ", ", ", "\n", " "]).map(lambda glue: glue.join(parts))
)
ANCHORS = st.datetimes(
    datetime(1905, 1, 1), datetime(2190, 1, 1), timezones=st.just(UTC) | st.timezones()
)


@given(TEXTS | st.text(max_size=60), ANCHORS)
def test_mentions_are_ordered_slices_with_ordered_days(text: str, anchor: datetime) -> None:
    found = find_dates(text, anchor)
    for mention in found:
        assert text[mention.start : mention.end] == mention.text != ""
        assert mention.first <= mention.middle <= mention.last
        one_year = mention.first.year == mention.last.year
        assert one_year or mention.precision is not Precision.YEAR
    assert all(left.end <= right.start for left, right in pairwise(found))


@given(TEXTS, ANCHORS)
def test_annotating_only_inserts_and_is_idempotent(text: str, anchor: datetime) -> None:
    once = annotate(text, anchor)
    assert annotate(once, anchor) == once
    rest = iter(once)
    assert all(character in rest for character in text)


@given(ANCHORS, st.integers(0, 6))
def test_last_and_next_weekday_are_the_nearest_strictly_apart(
    anchor: datetime, weekday: int
) -> None:
    name = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()[weekday]
    before = only(f"I fell last {name}", anchor).first
    after = only(f"next {name} is free", anchor).first
    assert before.weekday() == after.weekday() == weekday
    assert 1 <= days_between(before, anchor) <= 7
    assert 1 <= days_between(anchor, after) <= 7


@given(ANCHORS, st.integers(1, 400))
def test_days_ago_and_ahead_agree_with_days_between(anchor: datetime, count: int) -> None:
    for text in (f"{count} days ago", f"há {count} dias", f"hace {count} días"):
        assert days_between(only(text, anchor).first, anchor) == count
    assert days_between(anchor, only(f"{count} days from now", anchor).first) == count


@given(ANCHORS, DAYS)
def test_a_full_date_does_not_depend_on_the_anchor(anchor: datetime, day: date) -> None:
    if day.year < 2100:
        assert only(f"It was {format_date(day)}, they say", anchor).first == day
        assert only(f"It was {day.isoformat()}, they say", anchor).first == day


@given(st.text())
def test_folding_maps_every_place_into_the_text(text: str) -> None:
    folded = fold(text)
    places = [folded.source(index) for index in range(len(folded.text) + 1)]
    assert places == sorted(places)
    assert places[-1] == len(text)


# --------------------------------------------------------------------------- tables


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_tables_are_folded_and_complete(language: memflow.dates.language.Language) -> None:
    words = [word for table in placeholders(language).values() for word in table]
    words += [*language.numbers, *language.vague, *language.markers, *language.ambiguous]
    assert [word for word in words if fold(word).text != word] == []
    assert set(language.weekdays.values()) == set(range(7))
    assert set(language.months.values()) == set(range(1, 13))
    assert set(language.seasons.values()) == set(range(4))
    assert len(compile_language(language)) == len(language.rows)


def test_every_rule_is_used_by_a_row_and_has_code() -> None:
    used = {row.rule for language in LANGUAGES for row in language.rows}
    assert used == set(Rule)
    scene = Scene(ANCHOR.date(), lambda: memflow.dates.kinds.Tense.FUTURE)
    assert all(resolve(rule, Fields(year=2020), 1, scene) is not None for rule in Rule)


# --------------------------------------------------------------------------- annotation


@pytest.mark.parametrize(
    ("text", "annotated"),
    [
        ("", ""),
        ("No date.", "No date."),
        ("I went last Friday.", "I went last Friday [Fri 5 May 2023]."),
        ("I ran last week", "I ran last week [week of 1–7 May 2023]"),
        (
            "I ran last month, and last year too",
            "I ran last month [April 2023], and last year [2022] too",
        ),
        ("two weeks ago I fell", "two weeks ago [around 26 April 2023] I fell"),
        ("a few months ago I fell", "a few months ago [around February 2023] I fell"),
        ("a few years ago I fell", "a few years ago [around 2020] I fell"),
        ("yesterday's game", "yesterday's [Tue 9 May 2023] game"),
        ("My birthday: May 8.", "My birthday: May 8 [Mon 8 May 2023]."),
        ("In March I ran", "In March [March 2023] I ran"),
        ("8 May 2023, since 2016, 5/8/23", "8 May 2023, since 2016, 5/8/23"),
        ("June 16-19 was fun", "June 16-19 [16–19 June 2022] was fun"),
        ("last weekend", "last weekend [weekend of 6–7 May 2023]"),
        ("last winter", "last winter [winter 2022–23]"),
        ("yesterday [Tue 9 May 2023]", "yesterday [Tue 9 May 2023]"),
        ("[photo of yesterday]", "[photo of yesterday]"),
        ("Fui ontem à noite", "Fui ontem à noite [Tue 9 May 2023]"),
        ("la semana pasada fui", "la semana pasada [week of 1–7 May 2023] fui"),
    ],
)
def test_annotate(text: str, annotated: str) -> None:
    assert annotate(text, ANCHOR) == annotated


# --------------------------------------------------------------------------- message times

SECONDS = 1683554160  # 2023-05-08 13:56:00 UTC


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2023-05-08T13:56:00+00:00", "2023-05-08T13:56:00+00:00"),
        ("2023-05-08T13:56:00Z", "2023-05-08T13:56:00+00:00"),
        ("2023-05-08T13:56:00.123Z", "2023-05-08T13:56:00.123000+00:00"),
        ("2023-05-08 13:56", "2023-05-08T13:56:00+00:00"),
        ("2023-05-08 13:56:00 +0200", "2023-05-08T13:56:00+02:00"),
        ("2023-05-08 13:56:00 UTC", "2023-05-08T13:56:00+00:00"),
        ("2023-05-08T13:56:00-07:00", "2023-05-08T13:56:00-07:00"),
        ("2023-05-08", "2023-05-08T00:00:00+00:00"),
        ("20230508", "2023-05-08T00:00:00+00:00"),
        ("20230508T135600Z", "2023-05-08T13:56:00+00:00"),
        ("  2023-05-08  ", "2023-05-08T00:00:00+00:00"),
        (str(SECONDS), "2023-05-08T13:56:00+00:00"),
        (f"{SECONDS}.5", "2023-05-08T13:56:00.500000+00:00"),
        (f"{SECONDS}000", "2023-05-08T13:56:00+00:00"),
        (f"{SECONDS}000000", "2023-05-08T13:56:00+00:00"),
        (SECONDS, "2023-05-08T13:56:00+00:00"),
        (SECONDS * 1000, "2023-05-08T13:56:00+00:00"),
        (SECONDS + 0.5, "2023-05-08T13:56:00.500000+00:00"),
        (0, "1970-01-01T00:00:00+00:00"),
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56:00+00:00"),
        ("12:09 am on 13 September, 2023", "2023-09-13T00:09:00+00:00"),
        ("12:30 pm on 1 June, 2022", "2022-06-01T12:30:00+00:00"),
        ("2023/05/30 (Tue) 23:40", "2023-05-30T23:40:00+00:00"),
        ("2025-12-15 (Monday)", "2025-12-15T00:00:00+00:00"),
        ("Mon, 08 May 2023 13:56:00 +0200", "2023-05-08T13:56:00+02:00"),
        ("8 May 2023 13:56:00 GMT", "2023-05-08T13:56:00+00:00"),
        ("Mon, 8 May 2023 13:56:00 -0000", "2023-05-08T13:56:00+00:00"),
        ("Mon, 8 May 2023 13:56:00 EST", "2023-05-08T13:56:00-05:00"),
        ("8 May 2023", "2023-05-08T00:00:00+00:00"),
        ("May 8, 2023", "2023-05-08T00:00:00+00:00"),
        ("May 8th, 2023 at 7 p.m.", "2023-05-08T19:00:00+00:00"),
        ("Monday, May 8, 2023 1:56:07 PM", "2023-05-08T13:56:07+00:00"),
        ("2023/05/30", "2023-05-30T00:00:00+00:00"),
        ("25/12/2023 18:00", "2023-12-25T18:00:00+00:00"),
        ("12/25/2023, 6:00 PM", "2023-12-25T18:00:00+00:00"),
        ("05.08.2023 18:00", "2023-08-05T18:00:00+00:00"),
        ("29 Feb 2024", "2024-02-29T00:00:00+00:00"),
        ("8 de maio de 2023", "2023-05-08T00:00:00+00:00"),
        ("8 de março de 2023 às 18:00", "2023-03-08T18:00:00+00:00"),
        ("lunes, 8 de mayo de 2023 18:00", "2023-05-08T18:00:00+00:00"),
    ],
)
def test_parse_time(text: str | float, expected: str) -> None:
    parsed = parse_time(text)
    assert parsed.isoformat() == expected
    assert parsed.utcoffset() is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "not a date",
        "30 Feb 2023",
        "2023-02-29",
        "2023-13-01",
        "13:56 pm on 8 May, 2023",
        "25:00 on 8 May 2023",
        "8 May 2023 or so",
        "8 May 2023 42",
        "5/8/2023",
        "2023",
        "12345",
        "99999999999999999999999",
        float("nan"),
        float("inf"),
        1e30,
        True,
    ],
)
def test_parse_time_says_what_it_cannot_read(text: str | float) -> None:
    with pytest.raises(ValueError, match="cannot read a time") as caught:
        parse_time(text)
    assert repr(str(text)) in str(caught.value)
    example = str(caught.value).split("'")[-2]
    assert parse_time(example).date() == date(2023, 5, 8)


def test_default_zone_holds_only_where_none_is_named() -> None:
    tokyo = ZoneInfo("Asia/Tokyo")
    assert parse_time("2023-05-08 13:56", default_zone=tokyo).utcoffset() == timedelta(hours=9)
    assert parse_time("1:56 pm on 8 May, 2023", default_zone=tokyo).tzinfo is tokyo
    assert parse_time("2023-05-08T13:56Z", default_zone=tokyo).utcoffset() == timedelta(0)
    assert parse_time(SECONDS, default_zone=tokyo).isoformat() == "2023-05-08T22:56:00+09:00"
    assert parse_time(SECONDS, default_zone=tokyo) == parse_time(SECONDS)


@given(st.datetimes(datetime(1970, 1, 1), datetime(2200, 1, 1), timezones=st.timezones()))
def test_iso_times_come_back_with_their_offset(moment: datetime) -> None:
    offset = moment.utcoffset()
    if offset is not None and offset.seconds % 60 == 0:
        parsed = parse_time(moment.isoformat())
        # Times in the hour that clocks repeat equal nothing in another zone: compare instants.
        assert (parsed.timestamp(), parsed.utcoffset()) == (moment.timestamp(), offset)


@given(st.datetimes(datetime(1980, 1, 1), datetime(2100, 1, 1)))
def test_benchmark_forms_come_back(moment: datetime) -> None:
    minute = moment.replace(second=0, microsecond=0, tzinfo=UTC)
    hour = f"{minute.hour % 12 or 12}:{minute.minute:02} {'pm' if minute.hour >= 12 else 'am'}"
    assert parse_time(f"{hour} on {format_date(minute)}") == minute
    assert parse_time(f"{minute:%Y/%m/%d (%a) %H:%M}") == minute
    assert parse_time(minute.timestamp()) == minute
    assert parse_time(format_time(minute)) == minute


@given(st.text(max_size=30) | st.floats())
def test_parse_time_gives_an_aware_time_or_value_error(text: str | float) -> None:
    try:
        parsed = parse_time(text)
    except ValueError:
        return
    assert parsed.tzinfo is not None


# --------------------------------------------------------------------------- arithmetic


@pytest.mark.parametrize(
    ("a", "b", "days", "weeks", "months"),
    [
        (date(2023, 5, 8), date(2023, 5, 29), 21, 3, 0),
        (date(2023, 5, 8), date(2023, 5, 8), 0, 0, 0),
        (date(2024, 2, 28), date(2024, 3, 1), 2, 0, 0),
        (date(2023, 2, 28), date(2023, 3, 1), 1, 0, 0),
        (date(2023, 1, 31), date(2023, 2, 28), 28, 4, 1),
        (date(2023, 1, 15), date(2023, 3, 14), 58, 8, 1),
        (date(2022, 12, 31), date(2023, 1, 1), 1, 0, 0),
        (date(2020, 2, 29), date(2021, 2, 28), 365, 52, 12),
        (date(2023, 5, 29), date(2023, 5, 8), -21, -3, 0),
        (date(2023, 6, 8), date(2023, 5, 8), -31, -4, -1),
    ],
)
def test_distances(a: date, b: date, days: int, weeks: int, months: int) -> None:
    assert (days_between(a, b), weeks_between(a, b), months_between(a, b)) == (days, weeks, months)


@given(DAYS, DAYS)
def test_distances_are_antisymmetric_and_add_up(a: date, b: date) -> None:
    for between in (days_between, weeks_between, months_between):
        assert between(a, b) == -between(b, a)
    forth, back = interval(a, b), interval(b, a)
    assert forth.days == 7 * forth.weeks + forth.week_days == (b - a).days
    assert forth.months == 12 * forth.years + forth.year_months
    assert (forth.month_days, forth.years) == (-back.month_days, -back.years)
    assert abs(forth.month_days) < 31
    assert abs(forth.week_days) < 7


@given(DAYS, st.integers(0, 2000), st.integers(0, 2000))
def test_distances_grow_with_time(a: date, near: int, more: int) -> None:
    b, c = a + timedelta(days=near), a + timedelta(days=near + more)
    assert days_between(a, b) + days_between(b, c) == days_between(a, c)
    assert months_between(a, b) <= months_between(a, c)
    assert weeks_between(a, b) <= weeks_between(a, c)


def test_interval_in_all_units() -> None:
    assert interval(date(2021, 1, 15), date(2023, 5, 20)) == Interval(
        days=855, weeks=122, week_days=1, months=28, month_days=5, years=2, year_months=4
    )


@pytest.mark.parametrize(
    ("a", "b", "unit", "words"),
    [
        ("2023-05-08", "2023-05-29", None, "21 days (3 weeks)"),
        ("2023-05-08", "2023-05-29", "days", "21 days (3 weeks)"),
        ("2023-05-29", "2023-05-08", "days", "21 days (3 weeks)"),
        ("2023-05-08", "2023-05-31", "days", "23 days (3 weeks and 2 days)"),
        ("2023-05-08", "2023-05-09", None, "1 day"),
        ("2023-05-08", "2023-05-08", None, "0 days"),
        ("2023-05-08", "2023-05-29", "weeks", "3 weeks (21 days)"),
        ("2023-05-08", "2023-05-31", "weeks", "3 weeks and 2 days (23 days)"),
        ("2023-05-08", "2023-05-10", "weeks", "less than a week (2 days)"),
        ("2023-01-01", "2023-06-02", None, "about 5 months (152 days)"),
        ("2023-01-01", "2023-06-01", "months", "5 months (151 days)"),
        ("2023-01-01", "2023-06-15", "months", "5 months and 14 days (165 days)"),
        ("2023-01-01", "2023-05-30", "months", "about 5 months (149 days)"),
        ("2023-01-01", "2023-01-11", "months", "less than a month (10 days)"),
        ("2023-01-01", "2023-04-11", "days", "100 days (3 months and 10 days)"),
        ("2021-01-01", "2023-01-01", None, "2 years (730 days)"),
        ("2021-01-01", "2023-04-01", "years", "2 years and 3 months (820 days)"),
        ("2021-01-01", "2023-04-09", "years", "about 2 years and 3 months (828 days)"),
        ("2023-01-01", "2023-04-01", "years", "less than a year (3 months, 90 days)"),
    ],
)
def test_describe_interval(a: str, b: str, unit: str | None, words: str) -> None:
    gap = interval(date.fromisoformat(a), date.fromisoformat(b))
    assert describe_interval(gap, unit) == words


def test_describe_interval_refuses_other_units() -> None:
    with pytest.raises(ValueError, match="fortnights"):
        describe_interval(interval(date(2023, 1, 1), date(2023, 2, 1)), "fortnights")


@given(DAYS, DAYS, st.sampled_from([None, *Unit]))
def test_every_description_names_the_days(a: date, b: date, unit: Unit | None) -> None:
    days = abs(days_between(a, b))
    assert f"{days} day" in describe_interval(interval(a, b), unit)


# --------------------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("precision", "words"),
    [
        (Precision.DAY, "5 May 2023"),
        (Precision.WEEK, "week of 1–7 May 2023"),
        (Precision.WEEKEND, "weekend of 6–7 May 2023"),
        (Precision.MONTH, "May 2023"),
        (Precision.SEASON, "spring 2023"),
        (Precision.YEAR, "2023"),
        (Precision.APPROXIMATE, "around 5 May 2023"),
    ],
)
def test_format_date(precision: Precision, words: str) -> None:
    assert format_date(date(2023, 5, 5), precision) == words


def test_format_date_across_months_and_years() -> None:
    assert format_date(date(2023, 6, 1), Precision.WEEK) == "week of 29 May – 4 June 2023"
    newyear = "week of 26 December 2022 – 1 January 2023"
    assert format_date(date(2023, 1, 1), Precision.WEEK) == newyear
    assert format_date(date(2024, 2, 29), Precision.SEASON) == "winter 2023–24"
    assert format_date(date(2023, 7, 1), Precision.SEASON, southern=True) == "winter 2023"
    assert format_date(date(2023, 5, 5), weekday=True) == "Fri 5 May 2023"


def test_format_time_and_mention() -> None:
    moment = datetime(2023, 5, 5, 14, 30, tzinfo=ZoneInfo("Asia/Tokyo"))
    assert format_time(moment) == "Fri 5 May 2023, 14:30"
    assert format_mention(only("last Friday")) == "Fri 5 May 2023"


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("How many days passed between the fair and the race?", Unit.DAYS),
        ("How many full weeks ago did I start?", Unit.WEEKS),
        ("How many months have passed since I moved?", Unit.MONTHS),
        ("how many years older is she?", Unit.YEARS),
        ("How long was it, in days?", Unit.DAYS),
        ("How long did it take in weeks", Unit.WEEKS),
        ("Quantos dias se passaram?", Unit.DAYS),
        ("Há quantas semanas comecei?", Unit.WEEKS),
        ("Quantos meses depois?", Unit.MONTHS),
        ("Há quantos anos foi?", Unit.YEARS),
        ("¿Cuántos días pasaron?", Unit.DAYS),
        ("¿Hace cuántas semanas empecé?", Unit.WEEKS),
        ("¿Cuantos meses han pasado?", Unit.MONTHS),
        ("¿Cuántos años tardó?", Unit.YEARS),
        ("How many weeks, or how many days?", Unit.WEEKS),
        ("How long was I in Japan?", None),
        ("How many days a week do I run?", None),
        ("How many days per month do I run?", None),
        ("How many books did I read in days of old?", None),
        ("How many weekends did I work?", None),
        ("What happened two days ago?", None),
        ("", None),
    ],
)
def test_unit_asked(question: str, unit: Unit | None) -> None:
    assert unit_asked(question) is unit


def test_public_names() -> None:
    assert set(memflow.dates.__all__) == {
        *("DateMention", "Interval", "Precision", "Unit", "annotate", "days_between"),
        *("describe_interval", "find_dates", "format_date", "format_mention", "format_time"),
        *("interval", "months_between", "parse_time", "unit_asked", "weeks_between"),
    }
