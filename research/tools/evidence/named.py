"""Pages, papers and sites as people type them: one spelling of each, or why there is none."""

import re

from django.utils.translation import gettext as _

from research.acquisition.urls import UrlRefused, checked_host, parse_url

DOI_RESOLVER = "https://doi.org/"
# https://www.crossref.org/documentation/register-maintain-records/constructing-your-dois/
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>]+")
_BEFORE_DOI = re.compile(
    r"(?:doi:\s*|(?:https?://)?(?:dx\.|www\.)?doi\.org/)?(?=10\.\d{4,9}/)", re.IGNORECASE
)
_LONGEST_DOI = 200  # characters


def doi_in(text: str) -> str | None:
    """The DOI that the text is, as a whole: "10.1000/182", "doi:10.1000/182" or the resolver's address of it."""
    start = _BEFORE_DOI.match(text.strip())
    rest = text.strip()[start.end() :] if start else ""
    return rest if _DOI.fullmatch(rest) and len(rest) <= _LONGEST_DOI else None


def doi_address(doi: str) -> str:
    return DOI_RESOLVER + doi


def checked_doi(text: str) -> str:
    """Raises ValueError for what is none."""
    doi = doi_in(text)
    if doi is None:
        raise ValueError(_("“%(text)s” is no DOI; one looks like 10.1000/182") % {"text": text[:80]})
    return doi


def pasted_address(text: str) -> str:
    """With the scheme that most people leave out; of a DOI, where it is resolved."""
    doi = doi_in(text)
    if doi is not None:
        return doi_address(doi)
    return text if "://" in text else f"https://{text}"


def site_name(text: str) -> str:
    """The host of a site as it is typed: "www.example.org", "*.example.org" or a whole address. Raises UrlRefused."""
    host = parse_url(text).host if "://" in text else checked_host(text.partition("/")[0].removeprefix("*."))
    return host.removeprefix("www.")


def checked_site(text: str) -> str:
    """Raises ValueError. An address of numbers is a site too: who runs one's own may name it."""
    try:
        return site_name(text)
    except UrlRefused as refusal:
        raise ValueError(
            _("“%(text)s” is no site: %(why)s") % {"text": text[:80], "why": refusal}
        ) from refusal
