"""Options for a run's sources in the form: each field becomes a setting, each mistake says where it is."""

import pytest

from research.db.tenancy import tenant_context
from research.models import LibraryDocument, Run
from tests.web.pages import tree, words

QUESTION = "How long must a password be in 2025?"


@pytest.fixture(autouse=True)
def search(settings):
    settings.PLUMBLINE_SEARXNG_URL = "http://searxng:8080"


@pytest.fixture
def documents(ada):
    with tenant_context(ada.tenant.pk):
        return [
            LibraryDocument.objects.create(folder="uploads", path=path, title=title, status="ready")
            for path, title in (
                ("a/guide.pdf", "Password guide"),
                ("b/guide.pdf", "Another guide"),
                ("c.txt", "Notes"),
            )
        ]


def ask(client, **fields):
    return client.post("/runs/new/", {"question": QUESTION} | fields)


def config_of(person):
    with tenant_context(person.tenant.pk):
        return Run.objects.get().config


def complaints(response):
    """Field → what is said of it."""
    assert response.status_code == 422
    links = tree(response).xpath("//*[@id='error-summary']//li/a")
    return {link.get("href"): " ".join(link.text_content().split()) for link in links}


def test_the_details_are_folded_and_have_defaults(client):
    page = tree(client.get("/runs/new/"))
    assert not page.xpath("//details[@open]")
    assert page.xpath("//select[@name='depth']/option[@selected]/@value") == ["standard"]
    assert page.xpath("//select[@name='recency_bias']/option[@selected]/@value") == ["balanced"]
    assert page.xpath("//details//details[contains(@class, 'more')]//input[@name='languages']")


def test_a_depth_sets_the_number_of_sources(client, ada, library_stock):
    ask(client, depth="quick")
    assert config_of(ada) == {"depth": "quick", "target_sources": 10}


def test_a_number_goes_before_the_depth(client, ada, library_stock):
    ask(client, depth="comprehensive", target_sources="40")
    assert config_of(ada) == {"depth": "comprehensive", "target_sources": 40}


def test_filters_become_the_runs_configuration(client, ada):
    ask(
        client,
        sources="web",
        priority_domains="https://www.nist.gov/x",
        published_from="2024-06",
        recency_bias="recent",
        source_types=["news", "academic"],
        regions=["ch", "eu"],
        languages="EN, de",
        pages_per_source="3",
        confidence_threshold="0.7",
        fresh_pages="on",
    )
    assert config_of(ada) == {
        "sources": "web",
        "priority_domains": ["nist.gov"],
        "published_from": "2024-06",
        "recency_bias": "recent",
        "source_types": ["news", "academic"],
        "regions": ["ch", "eu"],
        "languages": ["en", "de"],
        "pages_per_source": 3,
        "confidence_threshold": 0.7,
        "fresh_pages": True,
    }


@pytest.mark.parametrize(
    ("field", "value", "words_of"),
    [
        ("target_sources", "501", "less than or equal to 500"),
        ("target_sources", "0", "greater than or equal to 1"),
        ("pages_per_source", "21", "less than or equal to 20"),
        ("confidence_threshold", "1.5", "less than or equal to 1"),
        ("published_from", "last year", "match pattern"),
        ("languages", "english", "match pattern"),
        ("depth", "bottomless", "bottomless"),
        ("recency_bias", "old", "old"),
        ("regions", "mars", "mars"),
        ("source_types", "rumours", "rumours"),
        ("priority_domains", "gov", "is not a valid site"),
    ],
)
def test_what_cannot_be_is_told_at_its_field_and_nothing_is_lost(client, ada, field, value, words_of):
    response = ask(client, **{field: value})
    found = complaints(response)
    assert words_of in found[f"#id_{field}"]
    with tenant_context(ada.tenant.pk):
        assert not Run.objects.exists()
    assert tree(response).xpath("//details[@open]")


def test_dates_in_the_wrong_order_are_refused(client):
    response = ask(client, published_from="2025", published_to="2024-06")
    assert "published_from (2025) lies after published_to (2024-06)" in words(response)


def test_a_doi_is_taken_where_it_is_resolved(client, ada):
    ask(client, sources="both", urls="doi:10.1000/182\nhttps://dx.doi.org/10.1000/182")
    assert config_of(ada)["urls"] == ["https://doi.org/10.1000/182"]


@pytest.mark.parametrize("name", ["Password guide", "password GUIDE", "a/guide.pdf", "c.txt"])
def test_a_document_is_named_by_its_title_or_file(client, ada, documents, name):
    ask(client, documents=name)
    [found] = config_of(ada)["documents"]
    assert found in {str(document.pk) for document in documents}


def test_a_document_that_is_not_there_or_not_the_only_one_is_named(client, documents):
    response = ask(client, documents="guide.pdf\nnothing.txt\nc.txt")
    assert "“guide.pdf” matches several documents: a/guide.pdf; b/guide.pdf." in words(response)
    assert "“nothing.txt” is not a readable document in the library." in words(response)
    assert tree(response).xpath("//textarea[@name='documents']")[0].text.split() == [
        "guide.pdf",
        "nothing.txt",
        "c.txt",
    ]


def test_another_tenants_document_cannot_be_named(stranger, documents):
    assert "is not a readable document in the library" in words(ask(stranger, documents="c.txt"))


def test_asking_again_begins_with_all_that_was_asked(client, ada, documents):
    ask(
        client,
        sources="both",
        documents="c.txt",
        regions=["ch"],
        languages="de",
        depth="quick",
        fresh_pages="on",
    )
    with tenant_context(ada.tenant.pk):
        run = Run.objects.get()
    page = tree(client.get(f"/runs/new/?again={run.pk}"))
    assert page.xpath("//textarea[@name='documents']")[0].text.strip() == "c.txt"
    assert page.xpath("//input[@name='regions'][@checked]/@value") == ["ch"]
    assert page.xpath("//input[@name='languages']/@value") == ["de"]
    assert page.xpath("//select[@name='depth']/option[@selected]/@value") == ["quick"]
    assert page.xpath("//input[@name='fresh_pages'][@checked]")
    assert not page.xpath("//input[@name='target_sources']/@value")


def test_the_estimate_follows_the_depth(client):
    part = client.get("/runs/new/", {"depth": "quick", "target_sources": ""}, headers={"HX-Request": "true"})
    assert part.status_code == 200
