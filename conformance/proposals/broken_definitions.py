"""Broken definitions in the syntax of proposals, one for each rule about them."""

from __future__ import annotations

from typing import Any, NamedTuple

from conformance.generate.definitions.broken import Properties, field, message, without

FIRST, SECOND, KIP_625 = "kip-482-first-draft", "kip-482-second-draft", "kip-625"


class BrokenProposal(NamedTuple):
    """A definition of a proposal with one thing wrong in it."""

    dialect: str
    rule: str
    """Its id, without the dialect."""
    place: str
    definition: Properties


def _first(*optional: Properties, **properties: Any) -> Properties:
    sound = without("flexibleVersions", message(versionsWithOptional="1+"))
    return sound | {"optionalFields": list(optional)} | properties


def _second(*optional: Properties, **properties: Any) -> Properties:
    return message(**properties) | {"optionalFields": list(optional)}


def _optional(**properties: Any) -> Properties:
    """A sound optional field of the first draft, but for what is given."""
    return {"name": "Some", "type": "int32", "tag": "0x0001"} | properties


AT = "optionalFields[0]"

BROKEN_PROPOSALS: tuple[BrokenProposal, ...] = (
    BrokenProposal(
        FIRST,
        "no-arrays-of-structs",
        f"{AT}.type (Some)",
        _first(_optional(type="[]Inner", fields=[field(name="In")])),
    ),
    BrokenProposal(FIRST, "no-versions", f"{AT}.versions (Some)", _first(_optional(versions="1+"))),
    BrokenProposal(FIRST, "nullable-type", f"{AT}.nullable (Some)", _first(_optional(nullable=True))),
    BrokenProposal(FIRST, "tag-range", f"{AT}.tag (Some)", _first(_optional(tag="0x8000"))),
    BrokenProposal(FIRST, "tag-text", f"{AT}.tag (Some)", _first(_optional(tag="1"))),
    BrokenProposal(FIRST, "versions-needed", f"{AT} (Some)", _first(_optional(), versionsWithOptional="none")),
    BrokenProposal(FIRST, "versions-present", "(Sample)", without("versionsWithOptional", _first())),
    BrokenProposal(SECOND, "optional-tag", f"{AT} (Some)", _second(without("tag", _optional(versions="1+")))),
    BrokenProposal(SECOND, "tag-range", f"{AT} (Some)", _second(_optional(tag=0))),
    BrokenProposal(SECOND, "versions-needed", f"{AT} (Some)", _second(_optional(tag=1), flexibleVersions="none")),
    BrokenProposal(SECOND, "versions-with-tagged", f"{AT} (Some)", _second(_optional(tag=1, taggedVersions="1+"))),
    BrokenProposal(KIP_625, "encoding-form", "fields[0].encoding (Some)", message(field(encoding={}))),
    BrokenProposal(KIP_625, "encoding-name", "fields[0].encoding (Some)", message(field(encoding="unsigned32"))),
    BrokenProposal(
        KIP_625,
        "encoding-overlap",
        "fields[0].encoding.1+ (Some)",
        message(field(encoding={"0-1": "fixed32", "1+": "packed32"})),
    ),
    BrokenProposal(
        KIP_625, "encoding-type", "fields[0].encoding (Some)", message(field(type="string", encoding="packed32"))
    ),
    BrokenProposal(
        KIP_625, "encoding-versions", "fields[0].encoding (Some)", message(field(encoding={"0-1": "fixed32"}))
    ),
    BrokenProposal(KIP_625, "encoding-width", "fields[0].encoding (Some)", message(field(encoding="fixed64"))),
)
