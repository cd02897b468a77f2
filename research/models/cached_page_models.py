"""Web pages as a tenant last fetched them."""

from django.db import models

from research.models.base_models import ChangingModel


class KeptPage(ChangingModel):
    """The tenant's newest copy of a page, so that it need not be fetched again for a while.

    A cache: any row may be deleted at any time, at the cost of one more request. Cited texts are kept in
    `Content`.
    """

    canonical_url = models.TextField()
    final_url = models.TextField()  # after redirects; the validators below belong to it
    raw_key = models.CharField(max_length=200)  # object with the bytes
    media_type = models.CharField(max_length=100)
    name = models.CharField(max_length=20)  # page.html, page.pdf: the suffix selects the parser
    etag = models.CharField(max_length=500, blank=True)
    last_modified = models.CharField(max_length=100, blank=True)
    must_check = models.BooleanField(default=False)  # the server demands revalidation on each use (no-cache)
    fetched_at = models.DateTimeField()  # or last found unchanged

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "canonical_url"], name="one_kept_page_per_url")
        ]
        indexes = [models.Index(fields=["tenant", "fetched_at"], name="kept_page_by_age")]

    def __str__(self) -> str:
        return self.canonical_url
