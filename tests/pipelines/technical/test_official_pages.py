"""A project's own pages are told by the names in their addresses, in whatever list they stand or not."""

import pytest

from citations.credibility.source_hosts import is_named_in_host
from research.extractive.question.parsed_question import analyse
from research.models import SourceType
from research.pipelines.technical.technical_official_pages import names_of, official_type

DOCUMENTATION, CODE = SourceType.DOCUMENTATION, SourceType.CODE


@pytest.mark.parametrize(
    ("name", "url", "kind"),
    [
        ("Next.js", "https://nextjs.org/docs/app/caching", DOCUMENTATION),
        ("Next.js 15", "https://nextjs.org/docs", DOCUMENTATION),
        ("React", "https://react.dev/reference/react/useEffect", DOCUMENTATION),
        ("Kubernetes", "https://kubernetes.io/docs/concepts/", DOCUMENTATION),
        ("SQLAlchemy", "https://docs.sqlalchemy.org/en/20/orm/", DOCUMENTATION),
        ("Django", "https://docs.djangoproject.com/en/5.2/", DOCUMENTATION),
        ("Zustand", "https://zustand.docs.pmnd.rs/getting-started/comparison", DOCUMENTATION),
        ("Redux", "https://redux.js.org/introduction/getting-started", DOCUMENTATION),
        ("Vue", "https://vuejs.org/guide/", DOCUMENTATION),
        ("httpx", "https://www.python-httpx.org/advanced/timeouts/", DOCUMENTATION),
        ("Rust", "https://doc.rust-lang.org/book/", DOCUMENTATION),
        ("Go", "https://go.dev/ref/spec", DOCUMENTATION),
        ("Zustand", "https://github.com/pmndrs/zustand", CODE),
        ("React", "https://github.com/facebook/react/blob/main/README.md", CODE),
        ("React", "https://github.com/facebook/react/issues/13991", None),
        ("Kubernetes", "https://kubernetes.io/blog/2024/01/01/news/", None),
        ("React", "https://reactions.example/", None),
        ("Redux", "https://blog.example.org/redux", None),
        ("Redux", "https://github.com/someone/todo-list", None),
        ("Redux", "https://medium.com/@redux/tips", None),
        ("Redux", "", None),
    ],
)
def test_a_page_is_of_the_project_whose_name_it_lives_under(name, url, kind):
    assert official_type(url, [name]) is kind


@pytest.mark.parametrize("name", ["", "C", "…", "5.2"])
def test_a_name_too_short_to_tell_names_no_host(name):
    assert not is_named_in_host(name, "c.example.org")


def test_what_a_question_compares_are_names():
    assert set(names_of(analyse("zustand vs redux"), ())) >= {"zustand", "redux"}
