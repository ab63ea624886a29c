"""One step that is done otherwise, of frames, stored messages or wire types."""

from dataclasses import dataclass

from tests.helpers.releases import BASE
from tests.second_codec.steps import ContentWay, FixedWay, LengthWay, Misstep, VarintWay

Way = FixedWay | VarintWay | LengthWay | ContentWay | None
"""How a step is done; None: the step has no number, and its name says how."""
RELEASE = BASE


@dataclass(frozen=True)
class Wrong:
    """One step of a reader or writer that is done otherwise."""

    side: str
    place: str
    way_name: str
    way: Way
    subject: str
    """A selection of messages on which it shows, or a wire type."""
    legal: bool = False
    release: str = RELEASE

    @property
    def name(self) -> str:
        return f"{self.side}/{self.place}/{self.way_name}"

    @property
    def about(self) -> str:
        done = "reader" if self.side == "decode" else "writer"
        return f"The {self.place.replace('-', ' ')} of a {done}: {self.way_name.replace('-', ' ')}."

    @property
    def misstep(self) -> Misstep:
        return Misstep(self.way_name if self.way is None else self.place, self.way)
