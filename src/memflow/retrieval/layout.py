"""What follows from a catalogue's arrays and is needed by every query: computed once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memflow.protocols import Catalogue, Floats, Ints
from memflow.text import tokens

Flags = npt.NDArray[np.bool_]

# How thinly the keys may be strewn for a row to be looked up by its key directly.
_STREWN = 4
_UNKNOWN = -1


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Row lookups and window geometry of one catalogue version.

    A window is a chunk with up to `radius` neighbours on each side within its session: a reply
    is about what was said one turn before it, and rarely repeats its words.
    `reach[d]` is 1 for rows whose neighbour `d` rows later is in the same session, else 0;
    `near[d]` says so for the neighbour `d` rows away, before or after.
    """

    catalogue: Catalogue
    order: Ints  # argsort of the keys
    sorted_keys: Ints
    row_of: Ints | None  # row by distance from the first key, where keys are dense
    lengths: Floats
    window_lengths: Floats
    window_sizes: Floats  # chunks in each window
    mean_length: float
    mean_window_length: float
    reach: tuple[Floats, ...]
    near: Mapping[int, Flags]
    speaker_tokens: tuple[frozenset[str], ...]
    assistant: Floats  # 1 for an assistant's chunks, else 0
    assistant_share: float
    document_share: float

    @classmethod
    def of(cls, catalogue: Catalogue, *, radius: int) -> Layout:
        order = np.argsort(catalogue.keys, kind="stable")
        reach = tuple(
            (catalogue.sessions[:-distance] == catalogue.sessions[distance:]).astype(np.float64)
            if distance < catalogue.size
            else np.zeros(0)
            for distance in range(1, radius + 1)
        )
        lengths = catalogue.lengths.astype(np.float64)
        window_lengths = spread(lengths, reach)
        some = catalogue.size > 0
        return cls(
            catalogue=catalogue,
            order=order,
            sorted_keys=catalogue.keys[order],
            row_of=_row_of(catalogue.keys),
            lengths=lengths,
            window_lengths=window_lengths,
            window_sizes=spread(np.ones(catalogue.size), reach),
            mean_length=float(lengths.mean()) if some else 0.0,
            mean_window_length=float(window_lengths.mean()) if some else 0.0,
            reach=reach,
            near=_near(reach, catalogue.size),
            speaker_tokens=tuple(frozenset(tokens(name)) for name in catalogue.speaker_names),
            assistant=(catalogue.roles == 1).astype(np.float64),
            assistant_share=float((catalogue.roles == 1).mean()) if some else 0.0,
            document_share=float((catalogue.roles == 2).mean()) if some else 0.0,
        )

    def find(self, keys: Ints) -> tuple[Ints, Flags]:
        """The rows of the keys that the catalogue knows, in their order, and which those are."""
        if not len(self.sorted_keys):
            return np.zeros(0, dtype=np.int64), np.zeros(len(keys), dtype=bool)
        if self.row_of is not None:
            distance = keys - self.sorted_keys[0]
            known = (distance >= 0) & (distance < len(self.row_of))
            rows = self.row_of[distance[known]]
            known[known] = rows != _UNKNOWN
            return rows[rows != _UNKNOWN], known
        place = np.minimum(np.searchsorted(self.sorted_keys, keys), len(self.sorted_keys) - 1)
        known = self.sorted_keys[place] == keys
        return self.order[place[known]], known


def _row_of(keys: Ints) -> Ints | None:
    if not len(keys):
        return None
    first, last = int(keys.min()), int(keys.max())
    if last - first >= _STREWN * len(keys):
        return None
    row_of = np.full(last - first + 1, _UNKNOWN, dtype=np.int64)
    row_of[keys - first] = np.arange(len(keys))
    return row_of


def _near(reach: tuple[Floats, ...], size: int) -> Mapping[int, Flags]:
    near: dict[int, Flags] = {}
    for distance, same in enumerate(reach, start=1):
        near[distance], near[-distance] = np.zeros(size, dtype=bool), np.zeros(size, dtype=bool)
        near[distance][: len(same)] = same > 0
        near[-distance][size - len(same) :] = same > 0
    return near


def spread(values: Floats, reach: tuple[Floats, ...]) -> Floats:
    """Each row's value plus those of its neighbours within reach (the window's sum)."""
    total = values.copy()
    for distance, same in enumerate(reach, start=1):
        total[:-distance] += same * values[distance:]
        total[distance:] += same * values[:-distance]
    return total
