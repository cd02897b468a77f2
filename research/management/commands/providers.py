"""`manage.py providers`: list the configured search providers; with a query, show what each answers."""

import asyncio
from argparse import ArgumentParser
from collections.abc import Sequence

from django.core.management.base import BaseCommand, CommandError

from config.search_provider_settings import NEEDED
from research.search.ask_search_providers import ProviderResults, search_all
from research.search.chosen_search_services import is_ready, list_configured_services, outside_tools
from research.search.providers.search_catalogue import ENTRIES
from research.search.search_protocol import Filters, SearchProvider, SearchType
from research.search.search_services import build_services

MOST = 10


class Command(BaseCommand):
    help = (
        "Lists the search providers. With words, asks each of them; fails when none that is set up answers."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("words", nargs="?", default="", help="what to search for")

    def handle(self, *args: object, **options: str) -> None:
        there = list_configured_services()
        for name in ENTRIES:
            self._show("✓" if name in there else "–", name, _describe_provider(name))
        for name, (_server, tool) in outside_tools().items():
            self._show("✓" if name in there else "–", name, ", ".join(sorted(tool.types)))
        if options["words"]:
            self._ask(there, options["words"])

    def _ask(self, names: Sequence[str], words: str) -> None:
        answers = asyncio.run(_search_providers(names, words))
        self.stdout.write("")
        for name, results in answers:
            failures = [f"{skip.message} ({skip.code})" for skip in results.skipped]
            titles = [f"{len(results.hits)} found, first “{results.hits[0].title}”"] if results.hits else []
            self._show(
                "✗" if results.skipped else "✓", name, "; ".join([*titles, *failures]) or "nothing found"
            )
        if not any(not results.skipped for _, results in answers):
            raise CommandError("No search provider answers.")

    def _show(self, mark: str, name: str, words: str) -> None:
        self.stdout.write(f"{mark} {name:<17} {words}")


def _describe_provider(name: str) -> str:
    serves = ", ".join(kind.value for kind in SearchType if kind in ENTRIES[name].serves)
    if is_ready(name):
        return serves
    return f"{serves}; needs its {NEEDED[name]}, see docs/providers.md"


async def _search_providers(names: Sequence[str], words: str) -> list[tuple[str, ProviderResults]]:
    """Search with each provider, using the first kind of search that it supports."""
    services = build_services(names)
    try:
        providers = services.build_uncached_providers()
        results = await asyncio.gather(*(_search(provider, words) for provider in providers))
        return [(searched.name, each) for searched, each in zip(providers, results, strict=True)]
    finally:
        await services.aclose()


async def _search(provider: SearchProvider, words: str) -> ProviderResults:
    return await search_all([provider], words, Filters(SearchType.WEB, most=MOST, also=tuple(SearchType)))
