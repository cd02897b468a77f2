"""Pages of the web as a tenant last fetched them."""

from django.db import models

from research.models.base import ChangingModel


class KeptPage(ChangingModel):
    """The newest copy of a page that a tenant has, so that it need not be fetched again for a while.

    A cache: any row may vanish at any time, and costs one more request. What runs cite stands in `Content`.
    """

    canonical_url = models.TextField()
    final_url = models.TextField()  # where it was in the end, and what the marks below belong to
    raw_key = models.CharField(max_length=200)  # object that holds the bytes
    media_type = models.CharField(max_length=100)
    name = models.CharField(max_length=20)  # page.html, page.pdf: its suffix says how it is read
    etag = models.CharField(max_length=500, blank=True)
    last_modified = models.CharField(max_length=100, blank=True)
    must_check = models.BooleanField(default=False)  # its server wants to be asked each time (no-cache)
    fetched_at = models.DateTimeField()  # or found unchanged

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "canonical_url"], name="one_kept_page_per_url")
        ]
        indexes = [models.Index(fields=["tenant", "fetched_at"], name="kept_page_by_age")]

    def __str__(self) -> str:
        return self.canonical_url
