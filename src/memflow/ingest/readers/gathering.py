"""Everything that was named: a file by itself, or all that is in an archive or a folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memflow.errors import InputError, MissingExtra
from memflow.ingest.readers.containers import Archive, Container, Member
from memflow.ingest.readers.detection import ZIP, detect
from memflow.ingest.readers.exports import Export
from memflow.ingest.readers.files import Source
from memflow.ingest.readers.formats import Detected, Format
from memflow.ingest.readers.rows import Broken, Origin, Row, Rows
from memflow.ingest.readers.table import EXPORTS, NOTHING, rows_of
from memflow.ingest.readers.walking import archive_kind, claims, passed_over
from memflow.ingest.readers.watching import Meter, Watch
from memflow.types import NewTurn, Rejected


@dataclass(frozen=True, slots=True)
class Wish:
    """How it is to be read: in a format that was named, or as each file shows."""

    chosen: Format | None
    watch: Watch


def file_rows(source: Source, origin: Origin, wish: Wish) -> Rows:
    """One file by itself. An archive may be a document or hold an export.

    Raises InputError for what cannot be read, MissingExtra for want of a library.
    """
    if source.head.startswith(ZIP):
        yield from _archive_rows(source, origin, wish)
        return
    found = _as_named(wish) or detect(source.name, source.head)
    yield from rows_of(source, origin, found, wish.watch)


def _archive_rows(source: Source, origin: Origin, wish: Wish) -> Rows:
    with source.whole(limit=None) as file:
        archive = Archive(source.name, file)
        document = archive_kind(archive)
        if document is None:
            yield from all_rows(archive, source.name, origin, wish)
            return
        file.seek(0)
        again = Source(source.name, file, source.meter)
        yield from rows_of(again, origin, document, wish.watch)


def all_rows(container: Container, name: str, origin: Origin, wish: Wish) -> Rows:
    """Exports whose files belong together first, then every other file by itself, in order.

    Raises InputError when there was nothing to read in any of them.
    """
    members = container.members()
    meter = Meter(wish.watch.bytes, sum(member.size for member in members))
    found = claims(members, wish.chosen)
    read = False
    for claim in found:
        paths = tuple(
            member.path.removeprefix(claim.base)
            for member in members
            if member.path.startswith(claim.base) and member.flaw is None
        )
        wish.watch.began(container.shown(claim.base).rstrip("/"), claim.found)
        export = Export(container, claim.base, paths, meter)
        for row in EXPORTS[claim.found.format](export, origin):
            read = read or isinstance(row, NewTurn | Broken)
            yield row
    bases = tuple(claim.base for claim in found)
    for member in members:
        if not member.path.startswith(bases):
            for row in _member_rows(container, member, origin, wish, meter):
                read = read or isinstance(row, NewTurn | Broken)
                yield row
    if not read:
        what = "the archive" if container.is_archive else "the folder"
        count = f"none of {len(members)} files is" if members else "no files"
        raise InputError(
            name,
            f"nothing to read in {what}: {count}",
            mend="docs/imports.md lists the formats; --format names one",
        )


def _member_rows(
    container: Container, member: Member, origin: Origin, wish: Wish, meter: Meter
) -> Iterator[Row]:
    """What is not for reading is passed over, not an error: exports hold pictures and lists."""
    where = container.shown(member.path)
    if reason := passed_over(member, wish.chosen):
        yield Rejected(where, reason)
        return
    home = container.title if origin.container is None else f"{origin.container}/{origin.stem}"
    inner = origin.member(where, member.path, home, archive=container.is_archive)
    try:
        with container.open(member.path) as stream:
            source = Source(where, stream, meter)
            try:
                rows = _told_apart(source, container, inner, wish)
            except InputError as error:
                yield Rejected(where, error.reason)
                return
            yield from rows
    except InputError as error:
        kind = Rejected if error.reason == NOTHING else Broken
        yield kind(error.where, error.reason)
    except MissingExtra as error:
        yield Broken(where, f"{error.args[0]} {error.mend}")


def _told_apart(source: Source, container: Container, origin: Origin, wish: Wish) -> Rows:
    """The rows, not begun. Raises InputError for a file of no format that is read."""
    if source.head.startswith(ZIP):
        return _inner_archive(source, container, origin, wish)
    found = _as_named(wish) or detect(source.name, source.head)
    if found.guess:
        suffix = f"its name ends in .{source.name.rpartition('.')[2]}"
        named = "." in source.name.replace("\\", "/").rpartition("/")[2]
        reason = f"not told apart: {suffix if named else 'its name has no ending'}"
        raise InputError(source.name, reason)
    return rows_of(source, origin, found, wish.watch)


def _inner_archive(source: Source, container: Container, origin: Origin, wish: Wish) -> Rows:
    with source.whole(limit=None) as file:
        archive = Archive(source.name, file)
        document = archive_kind(archive)
        if document is None and container.is_archive:
            yield Rejected(source.name, "an archive within an archive: unpack the outer one")
        elif document is None:
            yield from all_rows(archive, source.name, origin, wish)
        else:
            file.seek(0)
            yield from rows_of(Source(source.name, file), origin, document, wish.watch)


def _as_named(wish: Wish) -> Detected | None:
    return Detected(wish.chosen, "as you named it") if wish.chosen is not None else None
