"""Pages, papers and sites as people type them: one spelling of each, or why there is none."""

from django.utils.translation import gettext as _

from research.fetching.urls import UrlRefused, normalize_host, parse_url
from research.search.dois import doi_of, doi_url


def parse_doi(text: str) -> str:
    """Raises ValueError for what is none."""
    doi = doi_of(text)
    if not doi:
        raise ValueError(_("“%(text)s” is no DOI; one looks like 10.1000/182") % {"text": text[:80]})
    return doi


def to_page_url(text: str) -> str:
    """With the scheme that most people leave out; of a DOI, where it is resolved."""
    if doi := doi_of(text):
        return doi_url(doi)
    return text if "://" in text else f"https://{text}"


def site_name(text: str) -> str:
    """The host of a site as it is typed: "www.example.org", "*.example.org" or a whole address. Raises UrlRefused."""
    host = (
        parse_url(text).host if "://" in text else normalize_host(text.partition("/")[0].removeprefix("*."))
    )
    return host.removeprefix("www.")


def parse_site(text: str) -> str:
    """Raises ValueError. An address of numbers is a site too: who runs one's own may name it."""
    try:
        return site_name(text)
    except UrlRefused as refusal:
        raise ValueError(
            _("“%(text)s” is no site: %(why)s") % {"text": text[:80], "why": refusal}
        ) from refusal
