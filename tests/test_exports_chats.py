"""People's chats: Slack, WhatsApp, Telegram, Discord."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memflow.errors import UsageError
from memflow.ingest.readers import Format, detect
from memflow.ingest.readers.slack_text import readable
from memflow.ingest.readers.telegram import _mended
from memflow.ingest.readers.whatsapp import MAX_MESSAGE
from memflow.ingest.readers.whatsapp_lines import Order, decide, opening_of, sender_and_body
from memflow.types import SessionKind
from tests.exporting import (
    EXPORTS,
    broken,
    contents,
    notes,
    reasons,
    rows_of,
    rows_of_bytes,
    texts,
    turns,
    unpacked,
    zip_of,
)

ZONE_NOTE = "times name no zone: read as UTC; --timezone names another"


def load(name: str) -> Any:
    return json.loads((EXPORTS / name).read_text(encoding="utf-8"))


# --------------------------------------------------------------------------- Slack


def test_slack_names_people_channels_and_links() -> None:
    rows = rows_of("slack")
    assert [(turn.session, turn.speaker, turn.text) for turn in turns(rows)] == [
        ("slack/D01/2026-03-03", "joao p", "Lunch on Thursday?"),
        (
            "slack/C01/2026-03-02",
            "Marta Vale",
            "Hi @joao p, the kiln is booked & slot 4 (https://kiln.example/slot) is ours in"
            " #general.",
        ),
        ("slack/C01/2026-03-02", "joao p", "I'll bring the glaze"),
        ("slack/C01/2026-03-02", "Marta Vale", "This one, @channel\n[file: the bowl]"),
        ("slack/C01/2026-03-02", "joao p", "Glaze came out green."),
    ]
    reply = turns(rows)[-1]
    assert reply.time is not None  # of the day it was written; its session is the thread's
    assert reply.time.date().isoformat() == "2026-03-04"
    assert (reply.source, reply.kind) == ("slack: #general", SessionKind.PEER)
    assert turns(rows)[0].source == "slack: Marta Vale, joao p"
    assert turns(rows)[1].id == "slack/C01/1772438460.000200"


def test_slack_counts_what_nobody_said() -> None:
    assert reasons(rows_of("slack")) == {
        'a notice of Slack, not something said ("channel_join")': 1,
        "written by a bot": 2,
        "media without words": 1,
        "a deleted message": 1,
        "no messages of a channel": 1,
    }


def test_slack_as_a_zip_and_within_another_folder(tmp_path: Path) -> None:
    path = tmp_path / "Workshop Slack export.zip"
    path.write_bytes(zip_of(contents("slack")))
    inner = unpacked({f"download/ws/{p}": d for p, d in contents("slack").items()}, tmp_path / "x")
    expected = [(turn.id, turn.session, turn.text) for turn in turns(rows_of("slack"))]
    for place in (path, inner):
        assert [(t.id, t.session, t.text) for t in turns(rows_of(place))] == expected


def test_slack_without_its_lists_keeps_ids(tmp_path: Path) -> None:
    files = {p: d for p, d in contents("slack").items() if "/" in p}
    rows = rows_of(unpacked(files, tmp_path), format="slack")
    assert {turn.speaker for turn in turns(rows)} == {"U01", "U02", "U09"}
    assert any(turn.session == "slack/general/2026-03-02" for turn in turns(rows))


def test_slack_one_days_file_alone() -> None:
    (lunch,) = turns(rows_of("slack/D01/2026-03-03.json"))
    assert (lunch.session, lunch.speaker) == ("slack/D01/2026-03-03", "U02")


def test_slack_a_damaged_day_leaves_the_others(tmp_path: Path) -> None:
    files = contents("slack")
    files["general/2026-03-02.json"] = files["general/2026-03-02.json"][:900]
    rows = rows_of(unpacked(files, tmp_path))
    assert "Glaze came out green." in texts(rows)
    assert "not valid JSON" in broken(rows)[-1].reason
    assert "2026-03-02.json" in broken(rows)[-1].where


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("<@U1> and <@U2|old> and <@U3>", "@Ana and @old and @U3"),
        ("<#C1> <#C2|side> <#C3>", "#main #side #C3"),
        ("<!here> <!subteam^S1|@team> <!subteam^S2>", "@here @team @subteam"),
        ("<https://a.example> <mailto:x@y.example|x@y.example>", "https://a.example x@y.example"),
        ("a &lt;b&gt; &amp;amp; c < d > e", "a <b> &amp; c < d > e"),
    ],
)
def test_slack_markup(raw: str, expected: str) -> None:
    assert readable(raw, {"U1": "Ana"}, {"C1": "main"}) == expected


# --------------------------------------------------------------------------- WhatsApp


def test_whatsapp_android_english() -> None:
    rows = rows_of("whatsapp/WhatsApp Chat with Noor.txt")
    assert [(turn.session, turn.speaker, turn.text) for turn in turns(rows)] == [
        ("whatsapp/Noor/2026-03-09", "Noor", "Did you find the spare key?"),
        (
            "whatsapp/Noor/2026-03-09",
            "Eli",
            "Yes, under the blue pot\nby the back door.\n\nIt was wet.",
        ),
        ("whatsapp/Noor/2026-03-09", "Noor", "The new lock\n[file]"),
        ("whatsapp/Noor/2026-03-13", "Eli", "ok"),
        ("whatsapp/Noor/2026-03-13", "Eli", "ok"),
        ("whatsapp/Noor/2026-03-13", "Noor", "The locksmith comes at 3:30."),
    ]
    # 3/13 exists only with the month first, and that holds for 3/9 as well.
    assert turns(rows)[0].time == datetime(2026, 3, 9, 21, 58, tzinfo=UTC)
    assert turns(rows)[3].time == datetime(2026, 3, 13, 0, 6, tzinfo=UTC)
    assert len({turn.id for turn in turns(rows)}) == 6
    assert reasons(rows) == {
        "a notice of WhatsApp, not something said": 2,
        "media without words": 1,
        "a deleted message": 1,
    }
    assert notes(rows) == [ZONE_NOTE]


def test_whatsapp_ios_portuguese() -> None:
    rows = rows_of("whatsapp/_chat.txt")
    assert [(turn.speaker, turn.text) for turn in turns(rows)] == [
        ("Avó Lena", "Bom dia! O bolo fica pronto às 16h."),
        ("Rui", "bom dia avó\nlevo o vinho: tinto ou branco?"),
        ("Rui", "o vinho\n[file]"),
        ("+351 912 345 678", "Chego às nove."),
    ]
    assert turns(rows)[0].time == datetime(2026, 3, 12, 9, 15, 40, tzinfo=UTC)
    assert reasons(rows) == {
        "a notice of WhatsApp, not something said": 2,
        "media without words": 1,
        "a deleted message": 1,
    }


def test_whatsapp_android_spanish() -> None:
    rows = rows_of("whatsapp/Chat de WhatsApp con Ines.txt")
    assert [(turn.session, turn.text) for turn in turns(rows)] == [
        ("whatsapp/Ines/2024-03-05", "El médico es el jueves a las 10."),
        ("whatsapp/Ines/2024-03-25", "Ya recogí las gafas."),
    ]
    assert turns(rows)[0].time == datetime(2024, 3, 5, 15, 4, tzinfo=UTC)


def test_whatsapp_zip_is_named_for_the_chat(tmp_path: Path) -> None:
    chat = (EXPORTS / "whatsapp/_chat.txt").read_bytes()
    for name in ("WhatsApp Chat - Família.zip", "WhatsApp Chat - Família (2).zip"):
        path = tmp_path / name
        path.write_bytes(zip_of({"_chat.txt": chat, "00000012-PHOTO.jpg": b"\xff\xd8\xff"}))
        rows = rows_of(path)
        assert {turn.session for turn in turns(rows)} == {
            "whatsapp/Família/2026-03-12",
            "whatsapp/Família/2026-03-13",
        }


@pytest.mark.parametrize(
    ("zone", "hours"), [("+02:00", 2), ("-03", -3), ("Europe/Lisbon", 0), ("Asia/Kolkata", 5.5)]
)
def test_whatsapp_times_are_those_of_the_zone_named(zone: str, hours: float) -> None:
    rows = rows_of("whatsapp/_chat.txt", timezone=zone)
    time = turns(rows)[0].time
    assert time == datetime(2026, 3, 12, 9, 15, 40, tzinfo=timezone(timedelta(hours=hours)))
    assert ZONE_NOTE not in notes(rows)
    # The zone is no part of the id.
    assert turns(rows)[0].id == turns(rows_of("whatsapp/_chat.txt"))[0].id


@pytest.mark.parametrize("zone", ["Europe/Lisbonn", "+25:00", "", "Mars/Base"])
def test_unknown_zones_are_the_callers_error(zone: str) -> None:
    with pytest.raises(UsageError, match="unknown time zone") as caught:
        rows_of("whatsapp/_chat.txt", timezone=zone)
    assert "Europe/Lisbon" in (caught.value.mend or "")


@pytest.mark.parametrize(
    ("dates", "expected", "doubt"),
    [
        (["12/03/2026, 09:15 - ", "13/03/2026, 09:15 - "], Order.DAY_FIRST, False),
        (["3/12/26, 9:15 AM - ", "3/13/26, 9:15 AM - "], Order.MONTH_FIRST, False),
        (["2026-03-12, 09:15 - "], Order.YEAR_FIRST, False),
        (["2026/03/12, 09:15 - "], Order.YEAR_FIRST, False),
        # Only one way round does time never go back.
        (["11/12/2025, 10:00 - ", "01/01/2026, 10:00 - ", "02/01/2026, 10:00 - "], None, True),
        (["10/01/2026, 9:00 - ", "11/01/2026, 9:00 - ", "01/02/2026, 9:00 - "], "d", False),
        (["01/10/2026, 9:00 - ", "01/11/2026, 9:00 - ", "02/01/2026, 9:00 - "], "m", False),
        (["5.3.24, 14:05 - "], Order.DAY_FIRST, False),
        (["05/03/2024 14:05 - "], Order.DAY_FIRST, True),
        (["3/5/24, 2:05 PM - "], Order.MONTH_FIRST, True),
        (["[05.03.24, 14:05:33] "], Order.DAY_FIRST, False),
    ],
)
def test_whatsapp_order_of_day_and_month(dates: list[str], expected: Any, doubt: bool) -> None:
    openings = [opening_of(f"{date}Ana: hi") for date in dates]
    assert all(openings)
    decision = decide(opening for opening in openings if opening)
    assert decision is not None
    wanted = {"d": Order.DAY_FIRST, "m": Order.MONTH_FIRST, None: Order.DAY_FIRST}
    assert decision.order is wanted.get(expected, expected)
    assert decision.doubt is doubt


def test_whatsapp_doubt_about_the_order_is_said() -> None:
    rows = rows_of_bytes("05/03/2024 14:05 - Ana: hi\n05/03/2024 14:06 - Rui: hi\n")
    assert "either way round: read as day/month/year" in notes(rows)[0]


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("Ana: hi", ("Ana", "hi")),
        ("\u202a+351 912 345 678\u202c: hi", ("+351 912 345 678", "hi")),
        ("~\u202fAna: hi", ("Ana", "hi")),
        ("Ana: a: b", ("Ana", "a: b")),
        ("Ana:", ("Ana", "")),
        ("Ana joined using this group's invite link", None),
        ('Ana changed the name to "Porto: June"', None),
        ('Zé "Boss": hi', ('Zé "Boss"', "hi")),
    ],
)
def test_whatsapp_senders(rest: str, expected: tuple[str, str] | None) -> None:
    assert sender_and_body(rest) == expected


def test_whatsapp_pasted_from_another_chat_is_part_of_the_message() -> None:
    chat = "12/03/2026, 09:15 - Ana: he wrote\n[13/03/2026, 10:00:00] Rui: no\n"
    assert texts(rows_of_bytes(chat)) == ["he wrote\n[13/03/2026, 10:00:00] Rui: no"]


def test_whatsapp_caption_and_poll_after_the_apps_line() -> None:
    chat = (
        "[12/03/2026, 09:15:00] Ana: \u200eimage omitted\nlook at her\n"
        "[13/03/2026, 09:15:00] Ana: \u200ePOLL:\nWho comes?\n\u200eOPTION: me (\u200e1 vote)\n"
    )
    assert texts(rows_of_bytes(chat)) == ["look at her", "Who comes?"]


def test_logs_of_programs_are_no_chats() -> None:
    log = b"[2024-03-05 14:05:33] INFO: started\n[2024-03-05 14:05:34] INFO: done\n"
    assert detect("-", log).format is Format.TEXT
    assert detect("-", b"2024-03-05 14:05:33 - app: started\n").format is Format.TEXT
    assert detect("WhatsApp Chat with x.txt", log).format is Format.WHATSAPP


def test_whatsapp_a_message_without_end_is_left_out() -> None:
    line = "x" * 999 + "\n"
    chat = f"12/03/2026, 09:15 - Ana: hi\n{line * (MAX_MESSAGE // 1000 + 9)}"
    rows = rows_of_bytes(f"{chat}13/03/2026, 09:15 - Ana: there\n")
    assert texts(rows) == ["there"]
    assert "more than" in broken(rows)[0].reason


# --------------------------------------------------------------------------- Telegram


def test_telegram_full_export() -> None:
    rows = rows_of("telegram_full.json")
    assert [(turn.session, turn.speaker, turn.text) for turn in turns(rows)] == [
        ("telegram/4001/2026-02-01", "Ilda", "Rehearsal moves to Tuesday at eight."),
        ("telegram/4001/2026-02-01", "Tom", "See https://hall.example — hall B."),
        ("telegram/4001/2026-02-02", "Ilda", "The score\n[image]"),
        ("telegram/4001/2026-02-03", "Tom", "[forwarded from Town Hall]\nTickets are 12 euros."),
        ("telegram/4001/2026-02-03", "Ilda", "[poll] Who can sing on the 14th?"),
        ("telegram/4001/2026-02-03", "user0", "gone"),
        ("telegram/4/2026-02-05", "Ilda", "Library card number 4471."),
        ("telegram/4002/2025-02-05", "Rosa", "Goodbye then."),
    ]
    first = turns(rows)[0]
    assert first.id == "telegram/4001/2"
    assert first.source == "telegram_full.json: Choir"
    assert first.time == datetime(2026, 2, 1, 9, 1, tzinfo=UTC)
    assert reasons(rows) == {
        "a notice of Telegram, not something said": 1,
        "media without words": 1,
        "a message that Telegram could not export": 1,
    }


def test_telegram_of_before_the_moments_is_local() -> None:
    (piano,) = turns(rows_of("telegram_chat.json", timezone="+03:00"))
    assert piano.time == datetime(2020, 7, 1, 9, tzinfo=UTC)
    assert notes(rows_of("telegram_chat.json")) == [ZONE_NOTE]


def test_telegram_zone_does_not_move_moments() -> None:
    here, there = (turns(rows_of("telegram_full.json", timezone=z)) for z in ("UTC", "+09:00"))
    assert [(turn.time, turn.session) for turn in here] == [
        (turn.time, turn.session) for turn in there
    ]


def test_telegram_control_characters_that_are_no_json() -> None:
    chat = '{"id": 1, "type": "personal_chat", "messages": [{"id": 2, "type": "message",'
    chat += ' "date_unixtime": "1769936460", "from": "A", "from_id": "user1", "text": "a\\x0Bb"}]}'
    assert texts(rows_of_bytes(chat)) == ["a\x0bb"]


@given(st.lists(st.sampled_from(["\\\\", "\\x0B", '\\"', "x0", "a", "\\n"])), st.integers(1, 5))
def test_telegram_mending_does_not_depend_on_blocks(parts: list[str], size: int) -> None:
    text = "".join(parts)
    blocks = [text[at : at + size] for at in range(0, len(text), size)]
    assert json.loads(f'"{"".join(_mended(iter(blocks)))}"') == json.loads(
        '"' + "".join("\\u000B" if part == "\\x0B" else part for part in parts) + '"'
    )


# --------------------------------------------------------------------------- Discord


def test_discord_channel() -> None:
    rows = rows_of("discord_channel.json")
    channel = "discord/700100200300400500"
    assert [(turn.session, turn.speaker, turn.text) for turn in turns(rows)] == [
        (f"{channel}/2026-02-10", "Pia K", "Table for six on Friday, @sven?"),
        (f"{channel}/2026-02-10", "sven", "Yes, at Sven's.\n[file: map.png]"),
        (f"{channel}/2026-02-11", "pia", "[forwarded]\nDoors close at ten."),
    ]
    first = turns(rows)[0]
    assert first.time == datetime(2026, 2, 10, 17, 5, 0, 123000, UTC)
    assert first.time.utcoffset() == timedelta(hours=1)  # as the file says it
    assert first.source == "discord_channel.json: Board games / meetups"
    assert reasons(rows) == {
        'a notice of Discord, not something said ("GuildMemberJoin")': 1,
        "written by a bot": 1,
        "media without words": 1,
    }


def test_discord_package_json_and_csv(tmp_path: Path) -> None:
    archive = tmp_path / "package.zip"
    archive.write_bytes(zip_of(contents("discord-package")))
    for place in ("discord-package", archive):
        rows = rows_of(place)
        assert [(turn.id, turn.speaker, turn.text) for turn in turns(rows)] == [
            ("discord/700100200300400500/900", "Pia K", "I own the red edition."),
            (
                "discord/700100200300400501/902",
                "Pia K",
                'Bring dice, "the big ones"\nand a cloth',
            ),
        ]
        assert turns(rows)[0].time == datetime(2025, 11, 1, 20, 15, tzinfo=UTC)
        assert (turns(rows)[0].source or "").endswith(": meetups in Board games")
        assert reasons(rows) == {"media without words": 2}


def test_discord_package_one_channel_alone() -> None:
    path = "discord-package/messages/c700100200300400501/messages.csv"
    (dice,) = turns(rows_of(path))
    assert (dice.id, dice.speaker) == ("discord/700100200300400501/902", "me")
    beside = turns(rows_of(path.replace("501/messages.csv", "500/messages.json")))
    assert beside[0].session == "discord/700100200300400500/2025-11-01"
