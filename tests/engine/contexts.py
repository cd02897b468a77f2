"""Runs as their exits see them, made up: for properties that hold of all."""

from hypothesis import strategies as st

from research.engine.pipeline_registry import Policy
from research.engine.states.state_context import (
    EvidenceFacts,
    ItemFacts,
    PlanFacts,
    ReportFacts,
    RunContext,
    SourceFacts,
    StateProgress,
)
from research.engine.states.state_source_sufficiency import (
    ObservedSource,
    SufficiencyResult,
    SufficiencyTargets,
    check_sources,
)
from research.models import FINISHED, State

counts = st.integers(0, 12)
shares = st.floats(0, 1.5)


def stock(count: int, minimum: int) -> SufficiencyResult:
    found = [
        ObservedSource("a", f"{number}.example", "news", words=frozenset({"w"})) for number in range(count)
    ]
    return check_sources(found, SufficiencyTargets(minimum=minimum, targets={"a": 2}))


contexts = st.builds(
    RunContext,
    state=st.sampled_from([state for state in State if state not in FINISHED]),
    attempt=st.integers(0, 5),
    retries=st.integers(0, 5),
    revisions=st.integers(0, 4),
    replans=st.integers(0, 3),
    decision=st.sampled_from(["", "approved", "rejected", "revised", "expired"]),
    fallback=st.sampled_from(["", "continue", "fail", "degrade"]),
    wants_replan=st.booleans(),
    work=st.builds(
        StateProgress,
        counts,
        counts,
        counts,
        st.sampled_from(["", "TIMEOUT", "DATA_CORRUPTION"]),
        time_share=shares,
    ),
    plan=st.builds(PlanFacts, counts, st.floats(0, 1), st.integers(0, 300), st.none() | shares, counts),
    items=st.builds(ItemFacts, counts, counts, counts, counts),
    sources=st.builds(
        SourceFacts,
        counts,
        counts,
        counts,
        st.floats(0, 1),
        st.floats(0, 1),
        st.none() | st.builds(stock, st.integers(1, 25), counts),
    ),
    evidence=st.builds(EvidenceFacts, counts, counts, counts, counts, st.booleans()),
    report=st.builds(
        ReportFacts, counts, counts, counts, counts, counts, counts, st.sampled_from(["", "passed", "failed"])
    ),
    policy=st.builds(
        Policy,
        minimum_sources=counts,
        auto_approve=st.booleans(),
        asks_people=st.booleans(),
        asks_about_doubts=st.booleans(),
        search_is_exhausted=st.booleans(),
        can_search_wider=st.booleans(),
        may_look_again=st.booleans(),
        may_seek_support=st.booleans(),
        is_looking_again=st.booleans(),
        is_written_once=st.booleans(),
    ),
)
