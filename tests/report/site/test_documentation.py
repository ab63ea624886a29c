"""Pages of rules link to the documentation, where it has an address."""

from importlib.metadata import PackageNotFoundError
from unittest.mock import Mock

import pytest

from conformance.commands.replay_cases import replay_of
from conformance.report.site import documentation
from conformance.report.site.documentation import Documentation, published
from conformance.report.site.site import site_pages
from tests.report.site.examples import codec

AT = Documentation("https://docs.example/kafka/")
RULE_PAGE = "rules/null.not-allowed.html"


def test_a_rule_and_a_statement_have_an_address() -> None:
    assert AT.rule("null.not-written") == "https://docs.example/kafka/reference/rules/null.html#null.not-written"
    assert AT.statement("1.3.8") == "https://docs.example/kafka/book/1-types.html#1.3.8"
    assert AT.statement("482A-3") == "https://docs.example/kafka/book/proposals.html#482A-3"


def test_the_page_of_a_rule_links_to_it_and_to_its_statements() -> None:
    page = dict(site_pages([codec()], replay_of, documentation=AT))[RULE_PAGE]
    assert f'<a href="{AT.rule("null.not-allowed")}">' in page
    assert 'href="https://docs.example/kafka/book/' in page


def test_a_path_leads_from_the_first_page_of_the_site() -> None:
    page = dict(site_pages([codec()], replay_of, documentation=Documentation("..")))[RULE_PAGE]
    assert 'href="../../reference/rules/null.html#null.not-allowed">' in page


def test_without_an_address_nothing_is_linked() -> None:
    page = dict(site_pages([codec()], replay_of, documentation=Documentation()))[RULE_PAGE]
    assert "<dt>Documentation</dt>" not in page
    assert "/book/" not in page


@pytest.mark.parametrize(
    ("addresses", "expected"),
    [
        (["Source, https://code.example", "Documentation, https://docs.example"], "https://docs.example"),
        (["Source, https://code.example"], ""),
        (None, ""),
    ],
)
def test_the_address_is_the_one_of_the_package(
    monkeypatch: pytest.MonkeyPatch, addresses: list[str] | None, expected: str
) -> None:
    monkeypatch.setattr(documentation, "metadata", lambda _: Mock(get_all=lambda _: addresses))
    assert published().base == expected


def test_package_without_installation_has_no_documentation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documentation, "metadata", Mock(side_effect=PackageNotFoundError))
    assert not published()
