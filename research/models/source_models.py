"""Frozen texts, the sources of runs, and the passages that can be cited."""

from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from django.db.models import F, Func, IntegerField, Q
from django.db.models.functions import Cast
from django.db.models.lookups import Exact
from pgvector.django import HalfVectorField, HnswIndex, VectorField

from research.models.base_models import (
    EMBEDDING_DIMENSIONS,
    ChangingModel,
    CheckedJSONField,
    TenantKey,
    TenantModel,
    between,
    one_of,
    scores,
)
from research.models.schemas import (
    Rendering,
    StoredAssessment,
    StoredBlock,
    StoredBox,
    StoredDropped,
    StoredPage,
    StoredTable,
)


class SourceType(models.TextChoices):
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


class SourceStatus(models.TextChoices):
    PENDING = "pending"
    FETCHING = "fetching"
    EXTRACTED = "extracted"
    PROCESSED = "processed"
    FAILED = "failed"
    DUPLICATE = "duplicate"
    EXCLUDED = "excluded"


class ContentType(models.TextChoices):
    PARAGRAPH = "paragraph"
    HEADING = "heading"
    LIST = "list"
    TABLE = "table"
    QUOTE = "quote"
    CODE = "code"
    CAPTION = "caption"


class Content(TenantModel):
    """One text as extracted. Frozen: the database rejects changes, so every offset into it stays valid.

    Reading the same bytes again with the same extractor finds this row; another extractor version creates a
    new one.
    """

    raw_sha256 = models.CharField(max_length=64)
    extractor = models.CharField(max_length=40)  # name and version of the extractor
    sha256 = models.CharField(max_length=64)  # of the text
    text = models.TextField()
    media_type = models.CharField(max_length=100)
    raw_key = models.CharField(max_length=200, blank=True)  # object with the bytes; empty: not kept
    raw_size = models.PositiveBigIntegerField(default=0)
    language = models.CharField(max_length=2, blank=True)
    word_count = models.PositiveIntegerField(default=0)
    has_paywall = models.BooleanField(default=False)
    blocks = CheckedJSONField(list[StoredBlock], default=list)
    pages = CheckedJSONField(list[StoredPage], default=list)
    tables = CheckedJSONField(list[StoredTable], default=list)
    dropped = CheckedJSONField(list[StoredDropped], default=list)
    notes = CheckedJSONField(list[str], default=list)  # the parser's remarks, one sentence each
    minhash = models.BinaryField(default=bytes)  # 128 × uint32, of five-word shingles
    # How a browser rendered the page; None: the bytes are as the site sent them.
    rendering = CheckedJSONField(Rendering, null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "raw_sha256", "extractor"], name="one_content_per_reading"
            )
        ]
        indexes = [models.Index(fields=["tenant", "sha256"], name="content_by_text")]

    def __str__(self) -> str:
        return self.sha256[:12]


class Source(ChangingModel):
    """One document of a run."""

    run = TenantKey("research.Run", related_name="sources", db_index=False)
    library_document = TenantKey(
        "research.LibraryDocument", on_delete=models.SET_NULL, null=True, blank=True, related_name="sources"
    )
    content = TenantKey(Content, on_delete=models.PROTECT, null=True, blank=True, related_name="sources")

    url = models.TextField(blank=True)
    final_url = models.TextField(blank=True)
    canonical_url = models.TextField()
    domain = models.CharField(max_length=255, blank=True)
    title = models.TextField(blank=True)
    author = models.TextField(blank=True)
    publisher = models.TextField(blank=True)
    published_date = models.CharField(
        max_length=10, blank=True
    )  # ISO 8601, as precise as known: 2017, 2017-06
    modified_date = models.CharField(max_length=10, blank=True)
    syndicated_from = models.CharField(max_length=200, blank=True)  # the agency whose text it repeats
    content_hash = models.CharField(max_length=64, blank=True)

    source_type = models.CharField(max_length=13, choices=SourceType, default=SourceType.OTHER)
    tier = models.PositiveSmallIntegerField(default=5)
    language = models.CharField(max_length=2, blank=True)
    region = models.CharField(max_length=10, blank=True)
    quality_score = models.FloatField(null=True, blank=True)
    authority_score = models.FloatField(null=True, blank=True)
    relevance_score = models.FloatField(null=True, blank=True)
    recency_score = models.FloatField(null=True, blank=True)
    credibility = models.PositiveSmallIntegerField(null=True, blank=True)

    status = models.CharField(max_length=9, choices=SourceStatus, default=SourceStatus.PENDING)
    error_code = models.CharField(max_length=40, blank=True)
    error_message = models.TextField(blank=True)
    duplicate_of = TenantKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="duplicates"
    )
    media_type = models.CharField(max_length=100, blank=True)
    word_count = models.PositiveIntegerField(default=0)
    has_paywall = models.BooleanField(default=False)
    has_tables = models.BooleanField(default=False)
    table_count = models.PositiveIntegerField(default=0)
    subtopic = models.CharField(max_length=300, blank=True)
    must_read = models.BooleanField(default=False)  # named by the user: no filter excludes it
    assessment = CheckedJSONField(StoredAssessment, null=True, blank=True)  # of the scores; NULL: none yet
    processed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            one_of("source_type", SourceType),
            one_of("status", SourceStatus),
            between("tier", 1, 5),
            between("credibility", 1, 10),
            *scores("quality_score", "authority_score", "relevance_score", "recency_score"),
            models.UniqueConstraint(fields=["run", "canonical_url"], name="one_source_per_run_and_url"),
            models.CheckConstraint(
                name="source_failure_has_a_code", condition=~Q(status="failed") | ~Q(error_code="")
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "run", "status"], name="source_by_status"),
            models.Index(fields=["tenant", "content_hash"], name="source_by_hash"),
            models.Index(fields=["tenant", "run", "-quality_score"], name="source_by_quality"),
        ]

    def __str__(self) -> str:
        return self.title or self.canonical_url

    @property
    def text(self) -> str:
        """Return the frozen text that every offset refers to; empty until extracted."""
        return self.content.text if self.content else ""


def has_dimension(dimension: int) -> Q:
    """Return the condition for vectors of this size, identical to the index's so that it can be used."""
    size = Func(F("embedding"), function="vector_dims", output_field=IntegerField())
    return Q(Exact(size, dimension))


def passage_indexes(name: str) -> list[models.Index]:
    """Return the full-text index and an HNSW cosine index per embedding dimension (halfvec: half the memory)."""
    vectors: list[models.Index] = [
        HnswIndex(
            OpClass(Cast("embedding", HalfVectorField(dimensions=dimension)), name="halfvec_cosine_ops"),
            name=f"{name}_vectors_{dimension}",
            condition=has_dimension(dimension),
        )
        for dimension in EMBEDDING_DIMENSIONS
    ]
    return [GinIndex(fields=["search"], name=f"{name}_search"), *vectors]


class Passage(TenantModel):
    """A part of a frozen text that can be found and cited: text[start_offset:end_offset]."""

    chunk_index = models.PositiveIntegerField()
    text = models.TextField()
    text_hash = models.CharField(max_length=64)
    start_offset = models.PositiveIntegerField()
    end_offset = models.PositiveIntegerField()
    token_count = models.PositiveIntegerField()
    page_number = models.PositiveIntegerField(null=True, blank=True)
    boxes = CheckedJSONField(list[StoredBox], default=list, blank=True)
    section_header = models.TextField(blank=True)  # heading path: "A > B"
    content_type = models.CharField(max_length=9, choices=ContentType, default=ContentType.PARAGRAPH)
    is_quote = models.BooleanField(default=False)
    quote_attribution = models.TextField(blank=True)
    entities = models.JSONField(default=list, blank=True)
    embedding_model = models.CharField(max_length=80, blank=True)
    embedding = VectorField(null=True, blank=True)
    search = models.GeneratedField(
        expression=SearchVector("section_header", weight="B", config="english")
        + SearchVector("text", weight="A", config="english"),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    class Meta:
        abstract = True
        constraints = [
            one_of("content_type", ContentType),
            between("token_count", 1, 1000),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_span_not_empty", condition=Q(end_offset__gt=F("start_offset"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.chunk_index}: {self.text[:60]}"


class Chunk(Passage):
    """A passage of a run's source."""

    run = TenantKey("research.Run", related_name="chunks", db_index=False)
    source = TenantKey(Source, related_name="chunks", db_index=False)

    class Meta(Passage.Meta):
        constraints = [
            *Passage.Meta.constraints,
            between("chunk_index", 0, 99),
            models.UniqueConstraint(
                fields=["source", "start_offset", "end_offset"], name="one_chunk_per_place"
            ),
            models.UniqueConstraint(fields=["source", "chunk_index"], name="one_chunk_per_index"),
        ]
        indexes = [models.Index(fields=["tenant", "run"], name="chunk_by_run"), *passage_indexes("chunk")]
