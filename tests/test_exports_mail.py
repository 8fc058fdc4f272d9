"""E-mail: mailboxes, single messages, and which of their words are kept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memflow.ingest.readers import Format, detect
from memflow.ingest.readers.mail_text import stripped, trimmed
from tests.exporting import (
    broken,
    notes,
    only_refused,
    reasons,
    rows_of,
    rows_of_bytes,
    texts,
    turns,
)


def letter(body: bytes = b"hi", **fields: str) -> bytes:
    known = {
        "From": "Ana <a@x.example>",
        "Message-ID": "<1@x>",
        "Date": "Mon, 2 Mar 2026 10:00 +0100",
    }
    head = "".join(f"{k.replace('_', '-')}: {v}\n" for k, v in (known | fields).items() if v)
    return f"Received: x\n{head}\n".encode() + body


def test_mailbox() -> None:
    rows = rows_of("letters.mbox")
    assert [(turn.session, turn.speaker, turn.text) for turn in turns(rows)] == [
        (
            "mail/first@mail.example",
            "Inês Rocha",
            "Os bilhetes para Faro\n\nComprei dois bilhetes para Faro, café incluído.\n"
            "From here it takes three hours.",
        ),
        (
            "mail/first@mail.example",
            "Lind, Ove",
            "Obrigado! Janela, se possível.\n\nLevo o gato?",
        ),
        (
            "mail/third@mail.example",
            "shop@mail.example",
            "Your order\n\nYour lamp ships on Friday.\n\none\n\ntwo",
        ),
    ]
    first, second, _ = turns(rows)
    assert (first.id, first.source) == (
        "mail/first@mail.example",
        "letters.mbox: Os bilhetes para Faro",
    )
    assert second.time == datetime(2026, 3, 3, 13, tzinfo=UTC)
    assert second.time.utcoffset() == timedelta(hours=-5)
    assert reasons(rows) == {"no words in it": 1}  # only a ticket is attached
    assert notes(rows) == ["times name no zone: read as UTC; --timezone names another"]


def test_a_date_of_unknown_zone_takes_the_one_named() -> None:
    shop = turns(rows_of("letters.mbox", timezone="+02:00"))[2]
    assert shop.time == datetime(2026, 3, 4, 6, tzinfo=UTC)


def test_single_message() -> None:
    (plan,) = turns(rows_of("letter.eml"))
    assert plan.text == "Plan\n\nWe meet at the quay."
    assert plan.time == datetime(2026, 3, 6, 10, tzinfo=UTC)


def test_a_sentence_that_begins_with_from_does_not_begin_a_message() -> None:
    box = b"From - Mon Mar 02 09:00:00 2026\n" + letter(b"hi\n\nFrom the start at ten it rained.\n")
    assert texts(rows_of_bytes(box)) == ["hi\n\nFrom the start at ten it rained."]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"From a@b Mon Mar 02 09:00:00 2026\nFrom: a\n\nx", Format.MBOX),
        (b"Received: x\nFrom: a@b\nDate: x\n\nhi", Format.EML),
        (b"From: me\nTo: you\n\nA letter in a note", Format.TEXT),
        (b"From the start\n\nit rained", Format.TEXT),
        (b"Date: today\nMood: good\n\nx", Format.TEXT),
    ],
)
def test_mail_is_told_from_text(head: bytes, expected: Format) -> None:
    assert detect("-", head).format is expected
    assert detect("x.eml", b"From: me\nTo: you\n\nx").format is Format.EML


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Yes.\n\n> Do you come?", "Yes."),
        ("Yes.\n\nOn 3 May 2026, Ana wrote:\n> Do you come?", "Yes."),
        ("Sim.\n\nAna <a@x.example> escreveu (3/5/2026):\n> Vens?", "Sim."),
        (
            "Sí.\n\nEl lun, 2 mar 2026 a las 10:00, Ana María de la Torre del Río\n"
            "(<a@x.example>) escribió:\n\n> ¿Vienes?",
            "Sí.",
        ),
        ("You said:\n> bring wine\n\nI did.", "You said:\n\nI did."),
        ("> old\n\nfirst\n\n> older\n\nsecond", "first\n\nsecond"),
        ("Bye\n-- \nAna\nRua A", "Bye"),
        ("-- \nonly a signature", "-- \nonly a signature".rstrip()),
        ("One\n\n-----Original Message-----\nFrom: Rui\nold", "One"),
        ("One\n________________________________\nFrom: Rui\nold", "One"),
        ("a\n\n\n\n\nb", "a\n\nb"),
        ("x > y and > z", "x > y and > z"),
    ],
)
def test_quotes_and_signatures(text: str, kept: str) -> None:
    assert trimmed(text) == "\n".join(line.rstrip() for line in kept.split("\n"))


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>One</p><p>two<br>three</p>", "One\n\ntwo\nthree"),
        ("a <b>bold</b>&nbsp;word &lt;x&gt;", "a bold word <x>"),
        ("<style>p{}</style><script>x</script>words", "words"),
        ("new<blockquote>old <blockquote>older</blockquote> old</blockquote> end", "new end"),
        ('new<div class="gmail_quote"><div>old</div></div>', "new"),
        ("<p>open <b>never closed", "open never closed"),
        ("<table><tr><td>a</td><td>b</td></tr></table>", "ab"),
        ("", ""),
    ],
)
def test_html(html: str, text: str) -> None:
    assert stripped(html) == text


def test_plain_text_is_preferred_and_attachments_are_not_words() -> None:
    message = EmailMessage()
    message["From"], message["Message-ID"] = "Ana <a@x.example>", "<9@x>"
    message["Date"], message["MIME-Version"] = "Mon, 2 Mar 2026 10:00:00 +0000", "1.0"
    message.set_content("the words")
    message.add_alternative("<p>the other words</p>", subtype="html")
    message.add_attachment(b"secret", maintype="text", subtype="plain", filename="a.txt")
    assert texts(rows_of_bytes(bytes(message), format="eml")) == ["the words"]


@pytest.mark.parametrize(
    ("data", "note"),
    [
        (letter(Date=""), "no 'Date': kept without a time"),
        (letter(Date="soon"), "time not understood, kept without a time"),
        (letter(Date="Mon, 99 Mar 2026 10:00:00 +0000"), "time not understood"),
        (letter(Date="Fri, 31 Dec 9999 23:59:59 -0100"), "time not understood"),
    ],
)
def test_dates_that_are_not(data: bytes, note: str) -> None:
    rows = rows_of_bytes(data)
    assert texts(rows) == ["hi"]
    assert turns(rows)[0].time is None
    assert note in notes(rows)[0]


def test_charsets_that_are_not_what_they_say() -> None:
    plain = {"MIME_Version": "1.0"}
    good = letter("café".encode(), Content_Type="text/plain; charset=nonsense", **plain)
    assert texts(rows_of_bytes(good)) == ["café"]
    rows = rows_of_bytes(letter(b"caf\xe9", Content_Type="text/plain; charset=utf-8", **plain))
    assert texts(rows) == ["café"]
    assert "some letters are wrong" in notes(rows)[0]


def test_messages_without_an_id_get_the_same_one_again() -> None:
    data = letter(Message_ID="")
    (one,), (two,) = turns(rows_of_bytes(data)), turns(rows_of_bytes(data))
    assert one.id == two.id
    assert (one.id or "").startswith("mail/")


def test_a_message_of_nobody_is_broken_and_the_others_are_kept() -> None:
    box = b"".join(
        b"From - Mon Mar 02 09:00:00 2026\n" + data + b"\n\n"
        for data in (letter(From=""), letter(b"kept", Message_ID="<2@x>"))
    )
    rows = rows_of_bytes(box)
    assert texts(rows) == ["kept"]
    assert [(row.where, row.reason) for row in broken(rows)] == [
        ("stdin, message 1", "no 'From': who wrote it?")
    ]


@given(st.binary(max_size=400))
def test_any_bytes_as_mail_are_read_or_refused(data: bytes) -> None:
    only_refused(data, format="mbox")
    only_refused(b"From: a@b\nDate: x\nMessage-ID: <1>\n" + data, format="eml")


@given(st.text(max_size=200))
def test_no_html_and_no_quotes_break_the_reader(text: str) -> None:
    assert "\0" not in stripped(text.replace("\0", ""))
    assert len(trimmed(text)) <= len(text)
