"""The vocabulary: values that cross a stage. All frozen; times are zone-aware datetimes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


class Intent(StrEnum):
    """The seven typed memory operations a question can ask for."""

    PROFILE_INJECTION = "profile-injection"
    TARGETED_EXTRACTION = "targeted-extraction"
    TEMPORAL_REASONING = "temporal-reasoning"
    CONFLICT_RESOLUTION = "conflict-resolution"
    BROAD_SUMMARIZATION = "broad-summarization"
    CONSTRAINT_VALIDATION = "constraint-validation"
    STATE_TRACKING = "state-tracking"


class RouteLayer(StrEnum):
    """Which layer of the router decided."""

    CONTEXT = "active-context"
    RULES = "rules"
    EXAMPLES = "examples"
    MODEL = "model"
    KEYWORDS = "keywords"
    FORCED = "forced"


class SessionKind(StrEnum):
    """How a session's turns are to be chunked, framed and read."""

    ASSISTANT = "assistant"  # a user talking with an assistant
    PEER = "peer"  # named people talking with each other
    DOCUMENT = "document"  # running text


# --------------------------------------------------------------------------- what is stored


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat, as models take it."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A turn on its way in, before the store gives it its place.

    `time` is the event time (zone-aware), None when unknown. `id` is the caller's own id,
    unique within a space; without one, the id derives from session, position and text.
    """

    text: str
    session: str
    role: str = "user"
    speaker: str | None = None
    time: datetime | None = None
    id: str | None = None
    source: str | None = None
    kind: SessionKind = SessionKind.ASSISTANT


@dataclass(frozen=True, slots=True)
class Turn:
    """One stored utterance or document part, verbatim. `position` counts within the session."""

    id: str
    session: str
    position: int
    role: str
    speaker: str
    text: str
    time: datetime | None
    kind: SessionKind
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """The indexed unit: `turn.text[start:end]`. Short turns are one chunk.

    `key` is the store's integer row id: stable, ascending in order of insertion.
    """

    key: int
    turn: Turn
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.turn.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Fact:
    """One profile fact: who it is about, what is said, and the sentence that says so.

    `key` names what the fact is a value of ("home", "job", "preference:coffee"); a newer fact
    of the same subject and key supersedes the older, which stays with `superseded_by` set.
    """

    id: int
    subject: str
    key: str
    value: str
    kind: str  # identity | preference | habit | instruction | relation
    turn_id: str
    quote: str
    time: datetime | None
    superseded_by: int | None = None


@dataclass(frozen=True, slots=True)
class Rejected:
    """A row that was not stored, where it stood, and why."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class AddResult:
    """What became of an `add`: every input row is stored, skipped (why) or failed (why).

    `notes` are about stored rows that lost something beside their words, such as a time that
    could not be read.
    """

    stored: tuple[str, ...] = ()
    skipped: tuple[Rejected, ...] = ()
    failed: tuple[Rejected, ...] = ()
    sessions: tuple[str, ...] = ()
    notes: tuple[Rejected, ...] = ()

    def __add__(self, other: AddResult) -> AddResult:
        return AddResult(
            self.stored + other.stored,
            self.skipped + other.skipped,
            self.failed + other.failed,
            tuple(dict.fromkeys(self.sessions + other.sessions)),
            self.notes + other.notes,
        )


# --------------------------------------------------------------------------- the read path


@dataclass(frozen=True, slots=True)
class Route:
    """The router's decision: which intent, which layer decided, and on what ground."""

    intent: Intent
    layer: RouteLayer
    reason: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hit:
    """One retrieved chunk. `ranks` and `scores` hold each leg's 1-based rank and raw score."""

    chunk: Chunk
    score: float
    ranks: Mapping[str, int] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)


class Slot(StrEnum):
    """The packer's priority slots, first to keep first."""

    PINNED = "pinned"
    PREPARED = "prepared"
    RAW = "raw"


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of evidence that may be packed: its text and the turns it rests on.

    `note` is code's remark shown beside the text ("stale: replaced on …"). `score` orders items
    before cutting. `order` restores the presentation order among items of one slot. `heading`
    stands above a run of pinned or prepared items.
    """

    slot: Slot
    text: str
    turns: tuple[Turn, ...]
    score: float
    order: tuple[Any, ...] = ()
    note: str | None = None
    stale: bool = False
    heading: str = ""
    span: tuple[int, int] | None = None  # the part of turns[0].text that `text` came from


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an operation's preparation hands to the packer.

    `facts` are computed statements (intervals, counts) and stand first in the prepared slot;
    `answer` is the reply that code alone can give, if it can.
    """

    items: tuple[Item, ...]
    hits: tuple[Hit, ...] = ()
    answer: str | None = None
    answer_turns: tuple[Turn, ...] = ()
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Dropped:
    """An item that did not make it into the context, and why."""

    turn_ids: tuple[str, ...]
    slot: Slot
    reason: str


@dataclass(frozen=True, slots=True)
class Packed:
    """The packed context. `text` is what the model sees; `tokens` counts exactly that text."""

    text: str
    tokens: int
    items: tuple[Item, ...]
    dropped: tuple[Dropped, ...] = ()


class Grounding(StrEnum):
    """How the validator reached its verdict."""

    HARD_FAIL = "hard-fail"
    SHORT_PASS = "short-pass"
    COMPUTED = "computed"
    MODEL = "model"
    OVERLAP = "overlap"
    PREMISE = "premise"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the answer rests on the context, which check said so, and why."""

    grounded: bool
    check: Grounding
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Prompt plus generated tokens by purpose, calls, and milliseconds by stage."""

    model_calls: int = 0
    route: int = 0
    answer: int = 0
    check: int = 0
    retry: int = 0
    prompt: int = 0
    completion: int = 0
    stages_ms: Mapping[str, float] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return self.prompt + self.completion


@dataclass(frozen=True, slots=True)
class Source:
    """A turn the answer's context held, as shown to the user."""

    turn_id: str
    session: str
    time: datetime | None
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Trace:
    """Why an answer came out so: a JSON-ready record of every stage."""

    id: str
    question: str
    created: datetime
    stages: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Context:
    """`ask` without the model: the packed prompt for whoever brings their own."""

    question: str
    route: Route
    packed: Packed
    messages: tuple[Message, ...]
    trace: Trace

    @property
    def text(self) -> str:
        return self.packed.text


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply, with everything it rests on. `reason` says why it abstained or what code did."""

    text: str
    abstained: bool
    reason: str
    intent: Intent
    route: Route
    evidence: tuple[Source, ...]
    verdict: Verdict
    usage: Usage
    packed_tokens: int
    escalated: bool
    trace: Trace
