"""The table of publishers, which an admin's own rules precede.

Tiers: 1 government, standards bodies, peer-reviewed journals, first-rank wire services; 2 established press,
universities, official documentation, industry bodies; 3 companies about themselves, specialist press; 4 blogs, wikis,
community answers; 5 social media, content farms, unknown.
"""

from dataclasses import dataclass
from enum import StrEnum

STARTS_AT = 0.5  # authority before anything is known of a source


class SourceType(StrEnum):
    NEWS = "news"
    ACADEMIC = "academic"
    INDUSTRY = "industry"
    GOVERNMENT = "government"
    COMPANY = "company"
    BLOG = "blog"
    SOCIAL = "social"
    WIKI = "wiki"
    DOCUMENTATION = "documentation"
    CODE = "code"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class AuthorityRule:
    """Sources that match `pattern` belong to `tier` (1 best – 5) and `source_type`.

    For a domain rule the pattern is a domain or host; for publishers and titles a regular expression.
    """

    pattern: str
    tier: int
    source_type: SourceType
    publisher: str = ""  # one name for all spellings, so that a publisher counts once


def _domains(tier: int, source_type: SourceType, names: str) -> tuple[AuthorityRule, ...]:
    return tuple(AuthorityRule(name, tier, source_type) for name in names.split())


# Hosts of other people's pages: the owner's part of the path identifies the publisher, not the domain.
# does.
HOSTS = frozenset(
    ("github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "sourceforge.net", "medium.com")
    + ("youtube.com", "facebook.com", "linkedin.com", "doi.org", "arxiv.org", "archive.org")
)

DOMAIN_RULES: tuple[AuthorityRule, ...] = (
    *_domains(
        1, SourceType.GOVERNMENT, "nist.gov europa.eu un.org oecd.org worldbank.org imf.org iea.org fao.org"
    ),
    *_domains(1, SourceType.GOVERNMENT, "admin.ch bund.de gc.ca canada.ca gov.uk nhs.uk login.gov"),
    *_domains(
        1, SourceType.INDUSTRY, "iso.org iec.ch ietf.org rfc-editor.org w3.org itu.int etsi.org ansi.org"
    ),
    *_domains(1, SourceType.INDUSTRY, "unicode.org ecma-international.org pcisecuritystandards.org"),
    *_domains(
        1, SourceType.ACADEMIC, "nature.com science.org pnas.org thelancet.com nejm.org bmj.com cell.com"
    ),
    *_domains(1, SourceType.ACADEMIC, "acm.org ieee.org springer.com sciencedirect.com wiley.com plos.org"),
    *_domains(1, SourceType.ACADEMIC, "jamanetwork.com cochranelibrary.com usenix.org iacr.org doi.org"),
    *_domains(
        1, SourceType.ACADEMIC, "mlr.press jmlr.org frontiersin.org royalsocietypublishing.org oup.com"
    ),
    *_domains(1, SourceType.NEWS, "reuters.com apnews.com afp.com"),
    *_domains(2, SourceType.ACADEMIC, "arxiv.org biorxiv.org medrxiv.org ssrn.com aclanthology.org"),
    *_domains(2, SourceType.ACADEMIC, "neurips.cc openreview.net hal.science zenodo.org"),
    *_domains(
        2, SourceType.NEWS, "bbc.co.uk bbc.com nytimes.com washingtonpost.com wsj.com ft.com economist.com"
    ),
    *_domains(
        2, SourceType.NEWS, "theguardian.com bloomberg.com npr.org nzz.ch faz.net sueddeutsche.de zeit.de"
    ),
    *_domains(2, SourceType.NEWS, "lemonde.fr elpais.com spiegel.de aljazeera.com dw.com"),
    *_domains(2, SourceType.INDUSTRY, "owasp.org cisecurity.org fidoalliance.org gsma.com cncf.io"),
    *_domains(2, SourceType.DOCUMENTATION, "docs.python.org docs.djangoproject.com developer.mozilla.org"),
    *_domains(
        2, SourceType.DOCUMENTATION, "postgresql.org readthedocs.io readthedocs.org docs.rs kernel.org"
    ),
    *_domains(2, SourceType.DOCUMENTATION, "learn.microsoft.com docs.aws.amazon.com cloud.google.com"),
    *_domains(3, SourceType.NEWS, "techcrunch.com theverge.com wired.com arstechnica.com zdnet.com heise.de"),
    *_domains(3, SourceType.NEWS, "bleepingcomputer.com theregister.com venturebeat.com krebsonsecurity.com"),
    *_domains(4, SourceType.WIKI, "wikipedia.org wikimedia.org fandom.com wikihow.com"),
    *_domains(4, SourceType.BLOG, "medium.com substack.com wordpress.com blogspot.com dev.to hashnode.dev"),
    *_domains(4, SourceType.OTHER, "stackoverflow.com stackexchange.com serverfault.com superuser.com"),
    *_domains(5, SourceType.SOCIAL, "twitter.com x.com facebook.com instagram.com tiktok.com reddit.com"),
    *_domains(5, SourceType.SOCIAL, "youtube.com linkedin.com pinterest.com quora.com threads.net bsky.app"),
    *_domains(5, SourceType.SOCIAL, "xkcd.com smbc-comics.com dilbert.com theonion.com 9gag.com tumblr.com"),
)

# Parts of URLs under which sites keep their documentation, and hosts that hold nothing else.
DOCUMENTATION_PATH = (
    r"^/(?:[^/]+/)*(?:docs?|documentation|manual|reference|api|[\w-]+_api)(?:/|$)"
    r"|^/(?:[a-z]{2}/)?(?:latest|stable|v?\d+(?:\.\d+)+)/"
)
# The same on the site of a project, whose learning pages are official as well.
OWN_DOCUMENTATION_PATH = (
    r"^/(?:[\w-]+/)*(?:learn|guides?|tutorials?|handbook|concepts|get(?:ting)?-started)(?:/|$)"
)
DOCUMENTATION_HOST = r"^(?:docs?|documentation|developers?|api|manual|help)\."
# Where sites keep blog posts, whatever their title.
BLOG_HOST = r"^(?:blogs?|weblog|engineering|tech)\."
BLOG_PATH = r"^/(?:[a-z]{2}/)?blogs?(?:/|$)"
# Where a repository's own files are read: they belong to its project.
REPOSITORIES = frozenset({"github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "sourceforge.net"})
# Public suffixes under which anybody can have pages.
PERSONAL_SUFFIXES = frozenset(
    {"github.io", "gitlab.io", "netlify.app", "pages.dev", "vercel.app", "web.app", "blogspot.com"}
)

# Labels of domains that public bodies of German-speaking countries are named with.
PUBLIC_BODY_LABEL = (
    r"(?:\w*bundes|landes)\w*(?:amt|anstalt|ministerium|institut|agentur|behoerde|regierung|gericht|rat|bank|tag)"
    r"|\w*ministerium\w*|landeshauptstadt\w*|stadt-[\w-]+|\w*(?:city|county|town)of\w+"
)
PUBLIC_BODY_SUFFIXES = frozenset({"de", "at", "ch", "li", "lu", "us", "org"})

_GOVERNMENT = SourceType.GOVERNMENT
# What follows the name of a publisher at the beginning of a title, and not that of a subject (“The agency warns …”).
_IS_PUBLISHER = r"(?=\s*(?:[:|–—(,]|$|(?:für|of|for|on|der|des)\b))"

# Publishers by name, for documents without a domain of their own. Specific names first.
PUBLISHER_RULES: tuple[AuthorityRule, ...] = (
    AuthorityRule(r"\bNIST\b|National Institute of Standards", 1, _GOVERNMENT, "NIST"),
    AuthorityRule(r"\bCISA\b|Cybersecurity and Infrastructure Security|\bcisagov\b", 1, _GOVERNMENT, "CISA"),
    AuthorityRule(
        r"\bGSA\b|General Services Administration|login\.gov|IDManagement\.gov", 1, _GOVERNMENT, "GSA"
    ),
    AuthorityRule(r"\bFIPS(?: PUB)? \d", 1, _GOVERNMENT, "NIST"),
    AuthorityRule(r"\bIRS\b|Internal Revenue Service", 1, _GOVERNMENT, "IRS"),
    AuthorityRule(r"\bENISA\b|European Union Agency for Cybersecurity", 1, _GOVERNMENT, "ENISA"),
    AuthorityRule(r"\bNCSC\b|National Cyber Security Cent(?:re|er)", 1, _GOVERNMENT, "NCSC"),
    AuthorityRule(r"\bBSI\b|Bundesamt für Sicherheit", 1, _GOVERNMENT, "BSI"),
    AuthorityRule(r"World Health Organi[sz]ation|\bWHO\b(?=$|\W*[A-Z])", 1, _GOVERNMENT, "WHO"),
    AuthorityRule(r"\bOECD\b", 1, _GOVERNMENT, "OECD"),
    AuthorityRule(
        r"\bIETF\b|Internet Engineering Task Force|\bRFC ?\d{3,5}\b", 1, SourceType.INDUSTRY, "IETF"
    ),
    AuthorityRule(r"\bW3C\b|World Wide Web Consortium", 1, SourceType.INDUSTRY, "W3C"),
    AuthorityRule(
        r"\bISO(?:/IEC)?(?: TR| TS)? \d|\bISO/IEC\b|International Organization for Standardization",
        1,
        SourceType.INDUSTRY,
        "ISO",
    ),
    AuthorityRule(r"\bIEEE(?: Std\.?)? \d{3}", 1, SourceType.INDUSTRY, "IEEE"),
    AuthorityRule(r"\bITU-[TR]\b", 1, SourceType.INDUSTRY, "ITU"),
    AuthorityRule(r"\bDIN (?:EN )?(?:ISO )?\d", 1, SourceType.INDUSTRY, "DIN"),
    AuthorityRule(r"\bETSI (?:EN|TS|TR)\b", 1, SourceType.INDUSTRY, "ETSI"),
    AuthorityRule(r"\bPCI (?:SSC|Security Standards)", 1, SourceType.INDUSTRY, "PCI SSC"),
    AuthorityRule(
        r"\bOWASP\b|Open (?:Web|Worldwide) Application Security Project", 2, SourceType.INDUSTRY, "OWASP"
    ),
    AuthorityRule(r"\bCenter for Internet Security\b", 2, SourceType.INDUSTRY, "CIS"),
    AuthorityRule(r"\bFIDO Alliance\b", 2, SourceType.INDUSTRY, "FIDO Alliance"),
    AuthorityRule(r"\b(?:Reuters|Associated Press|Agence France-Presse)\b", 1, SourceType.NEWS),
    # Words in names of such organizations everywhere.
    AuthorityRule(
        r"\b(?:U\.?S\.? )?(?:Department|Ministry|Bureau|Secretariat) of (?:the )?\w+(?: \w+)?", 1, _GOVERNMENT
    ),
    AuthorityRule(
        r"\b(?:Federal|National|European) \w+(?: \w+)? (?:Agency|Office|Authority|Administration)\b",
        1,
        _GOVERNMENT,
    ),
    AuthorityRule(
        r"\b(?:\w*[Bb]undes|[Ll]andes)(?:amt|anstalt|ministerium|institut|agentur|behörde|regierung|gericht|rat|tag)"
        r"(?:e[ns]?|s)?"
        + _IS_PUBLISHER
        + r"(?: (?:für|der|des) [\w-]+)?|\b\w*[Mm]inisterium"
        + _IS_PUBLISHER,
        1,
        _GOVERNMENT,
    ),
    AuthorityRule(
        r"\b(?:International|Intergovernmental|Inter-American|African|Pan American|United Nations) (?:\w+ ){1,3}"
        r"(?:Agency|Organi[sz]ation|Panel|Programme|Fund|Union)" + _IS_PUBLISHER,
        1,
        _GOVERNMENT,
    ),
    AuthorityRule(
        r"\b(?:National|Federal|Canadian|Australian|European) (?:Institutes?|Cent(?:re|er)s?|Health Service)"
        r"(?: (?:for|of|on) (?:the )?\w+)?\b",
        1,
        _GOVERNMENT,
    ),
    AuthorityRule(r"\b\w+ (?:Copyright|Patent|Statistical) Office\b|\bCensus Bureau\b", 1, _GOVERNMENT),
    AuthorityRule(
        r"\bJournal of \w+(?: \w+)?|\bProceedings of\b"
        r"|\b(?:International|European|British|American|Canadian|Australian|Scandinavian) (?:\w+ )?Journal\b",
        1,
        SourceType.ACADEMIC,
    ),
    AuthorityRule(
        r"\b(?:American|British|Canadian|Australian|European|German|International|Royal|World)"
        r" (?:Academy|College|Medical Association|Society) (?:of|for) \w+|\bDeutsche Gesellschaft für \w+",
        2,
        SourceType.INDUSTRY,
    ),
    AuthorityRule(
        r"\b(?:\w+ )?(?:University|Universität|Université)(?: of \w+)?|\bInstitute of Technology\b",
        2,
        SourceType.ACADEMIC,
    ),
    AuthorityRule(
        r"\b\w+(?: \w+)? (?:Software Foundation|Consortium|Alliance|Industry Association)\b",
        2,
        SourceType.DOCUMENTATION,
    ),
    AuthorityRule(
        r"\b(?:(?-i:[A-Z])[\w&.-]* (?:(?:and|und|&) )?){0,3}\w+,? (?:Inc|Corp|Ltd|LLC|GmbH|AG|S\.A)\b\.?",
        3,
        SourceType.COMPANY,
    ),
)

# Types of document by title, if nothing is known of the publisher.
TITLE_RULES: tuple[AuthorityRule, ...] = (
    AuthorityRule(
        r"\bdocumentation\b|\breference manual\b|\bAPI reference\b|\buser(?:'s)? guide\b",
        2,
        SourceType.DOCUMENTATION,
    ),
    AuthorityRule(
        r"\brelease notes\b|\bupgrading\b|\bmanual\b|\bspecification\b", 2, SourceType.DOCUMENTATION
    ),
    AuthorityRule(
        r"\bREADME\b|\bchange ?log\b|\bhow ?to\b|\bguide\b|\btutorial\b|\bFAQ\b", 3, SourceType.DOCUMENTATION
    ),
    AuthorityRule(
        r"\bfrequently asked questions\b|\bAPI\b|\binstall(?:ing|ation)\b", 3, SourceType.DOCUMENTATION
    ),
    AuthorityRule(r"\b(?:Wikipedia|wiki)\b", 4, SourceType.WIKI),
    AuthorityRule(r"\b(?:web ?comic|comic strip|cartoon|meme|parody|satire)s?\b", 5, SourceType.SOCIAL),
    AuthorityRule(r"\bblog\b", 4, SourceType.BLOG),
)
