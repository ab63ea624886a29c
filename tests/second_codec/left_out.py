"""Readers of bodies without one check, as ways of the steps and missteps by rule."""

from tests.second_codec.ways import FixedWay, LengthWay, Misstep, VarintWay, swap

NO_BOUND = LengthWay(is_bound=False)
NO_LIMIT = LengthWay(limit=2**31)
NULL_ANYWHERE = LengthWay(of=swap(-1, None))
NEGATIVE_IS_NONE = LengthWay(of=lambda length: 0 if length < -1 else length)
ANY_WIDTH = VarintWay(most=64)
PADDED = Misstep(
    "*",
    FixedWay(pads=True),
    also=Misstep("*", VarintWay(pads=True), also=Misstep("[brs]*", LengthWay(pads=True))),
)

CHECKS_LEFT_OUT: dict[str, tuple[Misstep, ...]] = {
    "null.not-allowed": (Misstep("[abrs]*[!e]", NULL_ANYWHERE),),
    "length.negative": (
        Misstep("*", NEGATIVE_IS_NONE),
        Misstep("*", LengthWay(of=lambda length: length % 2**16, limit=2**16)),
    ),
    "length.within-input": (Misstep("[brs]*", NO_BOUND),),
    "count.within-input": (Misstep("array*", NO_BOUND),),
    "tag.size-within-input": (Misstep("section*-size", NO_BOUND),),
    "string.too-long": (Misstep("string*", NO_LIMIT),),
    "varint.too-long": (Misstep("*", ANY_WIDTH),),
    "input.truncated": (PADDED,),
}
