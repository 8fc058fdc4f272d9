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
    `reach[d]` is 1 for rows whose neighbour `d` rows later is in the same session, else 0.
    """

    catalogue: Catalogue
    order: Ints  # argsort of the keys
    sorted_keys: Ints
    lengths: Floats
    window_lengths: Floats
    window_sizes: Floats  # chunks in each window
    mean_length: float
    mean_window_length: float
    reach: tuple[Floats, ...]
    speaker_tokens: tuple[frozenset[str], ...]
    with_assistant: bool  # whether any chunk is an assistant's
    from_documents: bool  # whether most are of documents

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
            lengths=lengths,
            window_lengths=window_lengths,
            window_sizes=spread(np.ones(catalogue.size), reach),
            mean_length=float(lengths.mean()) if some else 0.0,
            mean_window_length=float(window_lengths.mean()) if some else 0.0,
            reach=reach,
            speaker_tokens=tuple(frozenset(tokens(name)) for name in catalogue.speaker_names),
            with_assistant=bool((catalogue.roles == 1).any()),
            from_documents=some and bool((catalogue.roles == 2).mean() > 0.5),
        )

    def find(self, keys: Ints) -> tuple[Ints, np.ndarray]:
        """The rows of the keys that the catalogue knows, in their order, and which those are."""
        if not len(self.sorted_keys):
            return np.zeros(0, dtype=np.int64), np.zeros(len(keys), dtype=bool)
        place = np.minimum(np.searchsorted(self.sorted_keys, keys), len(self.sorted_keys) - 1)
        known = self.sorted_keys[place] == keys
        return self.order[place[known]], known


def spread(values: Floats, reach: tuple[Floats, ...]) -> Floats:
    """Each row's value plus those of its neighbours within reach (the window's sum)."""
    total = values.copy()
    for distance, same in enumerate(reach, start=1):
        total[:-distance] += same * values[distance:]
        total[distance:] += same * values[:-distance]
    return total
