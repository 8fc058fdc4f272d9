"""What follows from a catalogue's arrays and is needed by every query: computed once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from memflow.protocols import Catalogue, Floats, Ints
from memflow.text import tokens


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Row lookups and window geometry of one catalogue version.

    A window is a chunk with up to `radius` neighbours on each side within its session: a reply
    is about what was said one turn before it, and rarely repeats its words.
    `reach[d]` marks the rows whose neighbour `d` rows later is in the same session.
    """

    catalogue: Catalogue
    order: Ints  # argsort of the keys
    sorted_keys: Ints
    window_lengths: Floats
    reach: tuple[np.ndarray, ...]
    speaker_tokens: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, catalogue: Catalogue, *, radius: int) -> Layout:
        order = np.argsort(catalogue.keys, kind="stable")
        reach = tuple(
            catalogue.sessions[:-distance] == catalogue.sessions[distance:]
            if distance < catalogue.size
            else np.zeros(0, dtype=bool)
            for distance in range(1, radius + 1)
        )
        lengths = catalogue.lengths.astype(np.float64)
        return cls(
            catalogue=catalogue,
            order=order,
            sorted_keys=catalogue.keys[order],
            window_lengths=spread(lengths, reach),
            reach=reach,
            speaker_tokens=tuple(frozenset(tokens(name)) for name in catalogue.speaker_names),
        )

    def rows(self, keys: Ints) -> Ints:
        """The row of each key; keys the catalogue does not know are left out."""
        if not len(self.sorted_keys):
            return np.zeros(0, dtype=np.int64)
        place = np.minimum(np.searchsorted(self.sorted_keys, keys), len(self.sorted_keys) - 1)
        rows: Ints = self.order[place[self.sorted_keys[place] == keys]]
        return rows


def spread(values: Floats, reach: tuple[np.ndarray, ...]) -> Floats:
    """Each row's value plus those of its neighbours within reach (the window's sum)."""
    total = values.copy()
    for distance, same in enumerate(reach, start=1):
        total[:-distance] += np.where(same, values[distance:], 0.0)
        total[distance:] += np.where(same, values[:-distance], 0.0)
    return total
