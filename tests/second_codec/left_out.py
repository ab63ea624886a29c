"""Readers of bodies that leave out one check, by the rule that it keeps."""

from tests.second_codec.steps import FixedWay, LengthWay, Misstep, VarintWay, swap

NO_BOUND = LengthWay(is_bound=False)
PADDED = Misstep(
    "*",
    FixedWay(pads=True),
    also=Misstep("*", VarintWay(pads=True), also=Misstep("[brs]*", LengthWay(pads=True))),
)

CHECKS_LEFT_OUT: dict[str, tuple[Misstep, ...]] = {
    "null.not-allowed": (Misstep("[abrs]*[!e]", LengthWay(of=swap(-1, None))),),
    "length.negative": (
        Misstep("*", LengthWay(of=lambda length: 0 if length < -1 else length)),
        Misstep("*", LengthWay(of=lambda length: length % 2**16, limit=2**16)),
    ),
    "length.within-input": (Misstep("[brs]*", NO_BOUND),),
    "count.within-input": (Misstep("array*", NO_BOUND),),
    "tag.size-within-input": (Misstep("section*-size", NO_BOUND),),
    "string.too-long": (Misstep("string*", LengthWay(limit=2**31)),),
    "varint.too-long": (Misstep("*", VarintWay(most=64)),),
    "input.truncated": (PADDED,),
}
