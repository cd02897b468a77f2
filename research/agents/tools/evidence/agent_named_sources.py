"""Normalise pages, papers and sites as people type them, or explain what is wrong."""

from django.utils.translation import gettext as _

from research.fetching.strict_urls import UrlRefused, normalize_host, parse_url
from research.search.search_dois import doi_of, doi_url


def parse_doi(text: str) -> str:
    """Parse a DOI. Raises ValueError for anything else."""
    doi = doi_of(text)
    if not doi:
        raise ValueError(
            _("“%(text)s” is not a valid DOI; a DOI looks like 10.1000/182") % {"text": text[:80]}
        )
    return doi


def to_page_url(text: str) -> str:
    """Return the URL of a page, adding a missing scheme, or that of a DOI at the resolver."""
    if doi := doi_of(text):
        return doi_url(doi)
    return text if "://" in text else f"https://{text}"


def site_name(text: str) -> str:
    """Return the host of a site given as "www.example.org", "*.example.org" or a URL. Raises UrlRefused."""
    host = (
        parse_url(text).host if "://" in text else normalize_host(text.partition("/")[0].removeprefix("*."))
    )
    return host.removeprefix("www.")


def parse_site(text: str) -> str:
    """Parse a site; an IP address is valid too, for self-hosted ones. Raises ValueError."""
    try:
        return site_name(text)
    except UrlRefused as refusal:
        raise ValueError(
            _("“%(text)s” is not a valid site: %(why)s") % {"text": text[:80], "why": refusal}
        ) from refusal
