from reference.definitions.canonical import canonical_json
from reference.definitions.parse import parse_definition

UPSTREAM = """
// As it might be published.
{
  "fields": [
    { "about": "Who it is.", "name": "Id", "versions": " 0+ ", "type": "string", "nullableVersions": "1+",
      "flexibleVersions": "none", "entityType": "groupId", "ignorable": "true", "mapKey": false },
    { "name": "Since", "type": "int64", "default": -1, "taggedVersions": "2+", "tag": "0" },
    { "name": "Parts", "type": "[] Part", "versions": "0-2", "fields":
      { "name": "Index", "type": "int32", "versions": "0+", "mapKey": 1, "entityType": "unknown" } }
  ],
  "commonStructs": [ { "name": "Shared", "versions": "1", "fields": [] } ],
  "deprecatedVersions": 0,
  "flexibleVersions": "2-32767",
  "headerVersions": { " 2+": 2, "0 ": "1", "1": " 01 " },
  "validVersions": "0-2",
  "latestVersionUnstable": true,
  "listeners": "broker",
  "name": "SampleRequest", "type": "request", "apiKey": "7"
}
"""

CANONICAL = """\
{
  "apiKey": 7,
  "type": "request",
  "listeners": ["broker"],
  "name": "SampleRequest",
  "validVersions": "0-2",
  "deprecatedVersions": "0",
  "flexibleVersions": "2+",
  "headerVersions": {"0": "1", "1": "1", "2+": "2"},
  "latestVersionUnstable": true,
  "commonStructs": [
    { "name": "Shared", "versions": "1" }
  ],
  "fields": [
    { "name": "Id", "type": "string", "versions": "0+", "nullableVersions": "1+", "flexibleVersions": "none", \
"ignorable": true, "entityType": "groupId" },
    { "name": "Since", "type": "int64", "versions": "2+", "tag": 0, "taggedVersions": "2+", "default": "-1" },
    {
      "name": "Parts",
      "type": "[]Part",
      "versions": "0-2",
      "fields": [
        { "name": "Index", "type": "int32", "versions": "0+", "mapKey": true }
      ]
    }
  ]
}
"""


def test_canonical_form_keeps_facts_in_one_way() -> None:
    """It fixes order and spelling of versions, numbers, defaults and booleans, and drops descriptions."""
    assert canonical_json(parse_definition(UPSTREAM, "SampleRequest.json")) == CANONICAL


def test_canonical_form_is_its_own_canonical_form() -> None:
    assert canonical_json(parse_definition(CANONICAL, "SampleRequest.json")) == CANONICAL


def test_definition_without_versions_has_no_flexible_ones() -> None:
    text = '{ "apiKey": 4, "type": "request", "name": "A", "validVersions": "none", "flexibleVersions": "0+" }'
    expected = '{\n  "apiKey": 4,\n  "type": "request",\n  "name": "A",\n  "validVersions": "none"\n}\n'
    assert canonical_json(parse_definition(text, "A.json")) == expected
