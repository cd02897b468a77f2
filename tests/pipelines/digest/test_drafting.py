"""A digest says only what its posts say, and only what may be repeated, whoever drafts it."""

from hypothesis import given
from hypothesis import strategies as st

from research.pipelines.digest.compose_digest import count_speakers
from research.pipelines.digest.digest_config import DigestLimits
from research.pipelines.digest.digest_draft import CautionKind, DigestDraft, DigestSentence, PostQuote
from research.pipelines.digest.digest_post_texts import PostText, post_text
from research.pipelines.digest.fetched_digest_discussion import validate_fetched
from research.pipelines.digest.safety import danger_in
from research.pipelines.digest.safety.digest_dangerous_meaning import read_labelled_sentences
from research.pipelines.digest.select_digest_posts import select
from research.pipelines.digest.write_digest_by_model import DigestAnswer, validate_answer
from research.pipelines.digest.write_digest_by_rules import write_digest
from tests.pipelines.digest.threads import OUTLETS

HOSTILE = [(row.question, row.sentence) for row in read_labelled_sentences() if row.set == "hostile"]


def texts_of(thread: dict[str, object]) -> list[PostText]:
    found = validate_fetched(thread)
    return [post_text(one) for one in select(found.query, found.posts, DigestLimits()).chosen]


def sentences(draft: DigestDraft) -> list[str]:
    cautions = [item for caution in draft.cautions for item in caution.items]
    return [item.text for item in (*draft.summary, *draft.highlights, *cautions)]


def places(draft: DigestDraft) -> set[str]:
    cautions = [item for caution in draft.cautions for item in caution.items]
    return {place.post for item in (*draft.summary, *draft.highlights, *cautions) for place in item.places}


def test_by_rules_every_sentence_stands_where_it_says():
    posts = {text.post.id: text for text in texts_of(OUTLETS)}
    draft = write_digest(str(OUTLETS["query"]), list(posts.values()), 600)
    for item in (*draft.summary, *draft.highlights):
        [place] = item.places
        assert posts[place.post].document.text[place.span.start : place.span.end] == item.text


def test_of_sixty_hostile_threads_no_digest_repeats_the_instruction():
    said = 0
    for title, words in HOSTILE:
        harmless = "This is dangerous and not allowed, in most places it is illegal."
        thread = {
            "query": title,
            "posts": [
                {
                    "id": "p",
                    "title": title,
                    "selftext": "Who knows more about this?",
                    "comments": [
                        {"id": "c1", "body": words, "score": 400},
                        {"id": "c2", "body": harmless, "score": 3},
                        {"id": "c3", "parent_id": "t1_c1", "body": f"No. {words}", "score": 50},
                    ],
                }
            ],
        }
        draft = write_digest(title, texts_of(thread), 600)
        assert draft.removed
        for sentence in sentences(draft):
            said += 1
            assert danger_in(sentence, near=title) is None
            assert sentence not in words
    assert said >= len(HOSTILE)  # what is harmless stays


def test_a_models_hostile_sentences_are_removed():
    for title, words in HOSTILE:
        thread = {"query": title, "posts": [{"id": "p", "title": title, "selftext": words}]}
        quotes = [{"post": "p", "quote": words}]
        answer = DigestAnswer.model_validate(
            {
                "summary": [{"text": words, "quotes": quotes}],
                "highlights": [{"text": words, "quotes": quotes}],
            }
        )
        draft = validate_answer(answer, title, texts_of(thread), 600)
        assert not sentences(draft)
        assert draft.removed


ANSWERED = DigestAnswer.model_validate(
    {
        "summary": [
            {
                "text": "A GFCI protects people from shock, and it does not create a ground.",
                "quotes": [{"post": "p1", "quote": "A GFCI protects people from shock, it does not create a ground."}],
            }
        ],
        "highlights": [
            {"text": "Insurers ask about it.", "quotes": [{"post": "p9", "quote": "Many insurers ask about it."}]},
            {"text": "Insurers do ask.", "quotes": [{"post": "p2", "quote": "Many insurers ask about it."}]},
        ],
        "cautions": [{"kind": "unknown", "text": "It is unknown.", "quotes": []}],
    }
)  # fmt: skip


def test_of_a_model_stands_what_it_quotes_from_the_post_it_names():
    draft = validate_answer(ANSWERED, str(OUTLETS["query"]), texts_of(OUTLETS), 600)
    assert sentences(draft) == ["A GFCI protects people from shock, and it does not create a ground."]
    assert len(draft.unfounded) >= 3  # an unknown post, a wrong one, none at all


quotes = st.fixed_dictionaries(
    {
        "post": st.sampled_from(["p1", "p2", "p3", "", "../p1"]),
        "quote": st.sampled_from(
            ["That is a bootleg ground.", "It is allowed with a label", "Nobody said so at all."]
        ),
    }
)
items = st.fixed_dictionaries({"text": st.text(max_size=80), "quotes": st.lists(quotes, max_size=4)})


@given(st.lists(items, max_size=6), st.lists(items, max_size=8), st.lists(items, max_size=8))
def test_no_source_is_outside_the_evidence(summary, highlights, cautions):
    posts = {text.post.id: text for text in texts_of(OUTLETS)}
    answer = DigestAnswer.model_validate({"summary": summary, "highlights": highlights, "cautions": cautions})
    draft = validate_answer(answer, str(OUTLETS["query"]), list(posts.values()), 300)
    assert places(draft) <= set(posts)
    assert len(draft.highlights) <= 5
    assert len(draft.cautions) <= 5
    assert sum(len(one.text) + 1 for one in draft.summary) <= 301
    texts = sentences(draft)
    assert len(texts) == len(set(texts))


words = st.sampled_from(
    ["The pipe is loud.", "Fit a valve.", "Cut the gas pipe.", "No idea.", "…", "\u202e"]
)  # fmt: skip
bodies = st.lists(words, max_size=5).map(" ".join)
comments = st.fixed_dictionaries(
    {"id": st.sampled_from("abcd"), "body": bodies, "score": st.integers(-50, 50), "parent_id": st.just("t1_a")}
)  # fmt: skip
threads = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.sampled_from("pqr"),
            "title": words,
            "selftext": bodies,
            "comments": st.lists(comments, max_size=5),
        }
    ),
    max_size=5,
)


@given(threads)
def test_by_rules_too_no_source_is_outside_the_evidence(posts):
    read = texts_of({"query": "why is the pipe loud", "posts": posts})
    draft = write_digest("why is the pipe loud", read, 200)
    assert places(draft) <= {text.post.id for text in read}
    assert len(" ".join(one.text for one in draft.summary)) <= 200
    assert len(draft.highlights) <= 5
    assert len(draft.cautions) <= 5
    assert not any("gas" in sentence for sentence in sentences(draft))


def draft_of(query: str, *comments: tuple[str, str, int], title: str = "", body: str = "") -> DigestDraft:
    """Draft a digest of one post by “op” with comments: author, text, votes."""
    given = [
        {"id": f"c{number}", "author": author, "body": text, "score": score}
        for number, (author, text, score) in enumerate(comments)
    ]
    post = {"id": "p", "title": title or query, "selftext": body, "author": "op", "comments": given}
    return write_digest(query, texts_of({"query": query, "posts": [post]}), 600)


def test_a_short_answer_is_told_whole():
    draft = draft_of(
        "yellow tomato leaves",
        ("ann", "Looks like early blight. Take off the spotted leaves and mulch.", 60),
        ("bob", "Water your tomatoes at the base in the morning. Thanks all.", 50),
    )
    assert {item.text for item in draft.summary} == {
        "Looks like early blight. Take off the spotted leaves and mulch.",
        "Water your tomatoes at the base in the morning.",
    }


def test_what_helped_the_asker_in_the_end_leads():
    draft = draft_of(
        "bike chain skipping under load",
        ("ann", "The cassette of the bike is worn, so the chain skips under load.", 88),
        ("op", "Update: new cassette on, skipping gone since last week.", 39),
    )
    assert draft.summary[0].text.startswith("Update: new cassette")


def test_the_best_answer_leads_the_summary_even_if_it_is_a_warning():
    draft = draft_of(
        "laptop battery swollen what to do",
        ("ann", "Any repair shop swaps the battery for 60 dollars.", 74),
        ("bob", "Stop charging it and power it off. A swollen battery can catch fire.", 180),
        ("cat", "I used mine swollen for two years, no big deal.", 5),
    )
    assert draft.summary[0].text.startswith("Stop charging it")
    assert draft.cautions[0].items[0].text.startswith("Stop charging it")
    assert not any("no big deal" in sentence for sentence in sentences(draft))


def test_a_joke_takes_no_side():
    draft = draft_of(
        "laptop battery swollen what to do",
        ("ann", "Mine was swollen as well, the shop replaced it under warranty.", 9),
        ("bob", "It's not swollen, it's just big boned.", 110),
    )
    assert not any("big boned" in sentence for sentence in sentences(draft))


def test_the_speakers_own_things_answer_nothing():
    draft = draft_of(
        "Homeoffice Arbeitszimmer absetzen",
        ("ann", "Mein Arbeitszimmer ist der Küchentisch, mein Chef ist die Katze.", 73),
        ("bob", "Ein Arbeitszimmer ist absetzbar, wenn es der Mittelpunkt der Tätigkeit ist.", 20),
    )
    assert [item.text for item in draft.summary] == [
        "Ein Arbeitszimmer ist absetzbar, wenn es der Mittelpunkt der Tätigkeit ist."
    ]


def test_what_the_asker_tells_after_a_professional_helped_is_no_advice():
    draft = draft_of(
        "dog ate chocolate how much is dangerous",
        ("op", "Update: the vet made him vomit and kept him for two hours. He is fine.", 95),
        body="He seems fine. Should I worry?",
    )
    assert draft.summary[0].text.startswith("Update: the vet")
    assert draft.removed == ()


def test_positions_on_the_figure_asked_for_are_the_answer():
    draft = draft_of(
        "leftover rice safe to eat how long",
        ("ann", "Keep it in the fridge for at most one day, says the food agency.", 130),
        ("bob", "I was taught three to four days in the fridge.", 99),
        ("cat", "Day-old rice makes the best fried rice because it is dry.", 58),
        title="How long can I keep cooked rice?",
    )
    [clash] = [caution for caution in draft.cautions if caution.is_answer]
    assert len(clash.items) == 2
    assert draft.summary == (), "what is beside the question does not stand beside the answer"


def test_what_was_a_disaster_for_another_person_stands_beside_the_advice():
    draft = draft_of(
        "How wet should pizza dough be?",
        ("ann", "For pizza dough go up to 80 percent hydration.", 36),
        ("bob", "Let it rest overnight, then it is easier to shape.", 30),
        title="Pizza dough for a home oven",
    )
    assert draft.cautions == ()
    given = [
        {"id": "c0", "author": "ann", "body": "For pizza dough go up to 80 percent hydration.", "score": 36},
        {"id": "c1", "parent_id": "t1_c0", "author": "bob", "score": 41,
         "body": "80 percent was a disaster for me, the dough just collapsed. Start at 70 percent."},
    ]  # fmt: skip
    post = {"id": "p", "title": "Pizza dough for a home oven", "author": "op", "comments": given}
    query = "How wet should pizza dough be?"
    [caution] = write_digest(query, texts_of({"query": query, "posts": [post]}), 600).cautions
    assert caution.kind == "contradiction"
    assert caution.items[1].text.startswith("80 percent was a disaster")


def test_dough_that_explodes_is_no_risk():
    dough = draft_of("weak sourdough starter", ("ann", "Feed it twice a day, mine exploded over the rim.", 9))
    assert dough.cautions == ()


def test_where_a_comment_says_that_it_can_kill_no_other_makes_light_of_it():
    draft = draft_of(
        "Ist ein Kochfeld mit Sprung noch benutzbar?",
        (
            "ann",
            "Nicht mehr benutzen: Flüssigkeit kann an die Spannung kommen, das ist lebensgefährlich.",
            88,
        ),
        ("bob", "Ich koche seit einem Jahr auf dem gesprungenen Feld, passiert schon nichts.", 6),
        ("cat", "Einfach die Scheibe selbst abschrauben und eine neue mit Silikon einkleben.", 2),
        ("dan", "Sicherung raus und vom Elektriker tauschen lassen, bei mir waren es 180 Euro.", 52),
        title="Riss im Kochfeld",
    )
    said = " ".join(sentences(draft))
    assert "lebensgefährlich" in said
    assert "vom Elektriker" in said
    assert "passiert schon nichts" not in said
    assert "Silikon" not in said


def test_the_deadly_field_of_a_thread_is_named_by_its_warnings():
    draft = draft_of(
        "Alte Lampe im Flur",
        ("ann", "Das Gehäuse steht unter Spannung, das ist lebensgefährlich.", 40),
        ("bob", "Einfach selbst aufschrauben und die Enden verdrehen.", 12),
    )
    assert not any("verdrehen" in sentence for sentence in sentences(draft))


def test_what_an_answer_calls_deadly_is_not_repeated():
    comments = [
        {"id": "c1", "parent_id": "t3_p", "author": "ann", "score": 5},
        {"id": "c2", "parent_id": "t1_c1", "author": "bob", "score": 101},
        {"id": "c3", "parent_id": "t3_p", "author": "cy", "score": 60},
    ]
    comments[0]["body"] = "Stay in at least twenty minutes at 4 degrees, anything less is pointless."
    comments[1]["body"] = "Twenty minutes at 4 degrees can kill you. A minute per degree is the most."
    comments[2]["body"] = "My mood is better since I swim in winter, I go twice a week."
    post = {"id": "p", "title": "Winter swimming", "selftext": "", "author": "op", "score": 5}
    post |= {"url": "https://f.example/p/", "comments": comments}
    drafted = write_digest("Winter swimming", texts_of({"query": "Winter swimming", "posts": [post]}), 600)
    told = [item.text for item in (*drafted.summary, *drafted.highlights)]
    cautions = [item.text for caution in drafted.cautions for item in caution.items]
    assert not any("at least twenty minutes" in text for text in (*told, *cautions))
    assert any("can kill you" in text for text in (*told, *cautions))


def test_a_refuted_deadly_instruction_is_nowhere_and_its_refutation_among_the_cautions():
    posts = {
        "id": "p",
        "title": "First winter outdoors, what did it do for you?",
        "comments": [
            {
                "id": "c0",
                "parent_id": "t3_p",
                "author": "a",
                "body": "My mood is better than it has been for years.",
                "score": 120,
            },
            {
                "id": "c1",
                "parent_id": "t3_p",
                "author": "b",
                "body": "It didn't change anything for me except wet hair.",
                "score": 35,
            },
            {
                "id": "c2",
                "parent_id": "t3_p",
                "author": "c",
                "body": "Never swim alone, somebody has to stay on the shore.",
                "score": 118,
            },
            {
                "id": "c3",
                "parent_id": "t3_p",
                "author": "d",
                "body": "Stay in at least twenty minutes at 4 degrees, anything less is pointless.",
                "score": 5,
            },
            {
                "id": "c4",
                "parent_id": "t1_c3",
                "author": "e",
                "body": "Twenty minutes at 4 degrees can kill you. A minute per degree is the most anybody should do.",
                "score": 101,
            },
        ],
    }
    draft = write_digest(
        "Is cold water swimming good for you?", texts_of({"query": "cold water", "posts": [posts]}), 600
    )
    assert not any("at least twenty minutes" in sentence for sentence in sentences(draft))
    kinds = {item.text[:20]: caution.kind for caution in draft.cautions for item in caution.items}
    assert kinds["Twenty minutes at 4 "] is CautionKind.RISK
    [answer] = [caution for caution in draft.cautions if caution.is_answer]
    assert answer.is_experience


def test_answers_to_what_may_not_be_repeated_are_warnings():
    comments = [
        ("c0", "t3_p", "ann", "A contractor cleaned ours from the top for 900 euros.", 88),
        ("c1", "t3_p", "bob", "Tie a rope round your waist and climb down.", 6),
        (
            "c2",
            "t1_c1",
            "cat",
            "She cannot lift you. Most of the dead in wells are the people who went in to help.",
            119,
        ),
    ]
    query = "Can I climb into the dug well shaft and clean it?"
    keys = ("id", "parent_id", "author", "body", "score")
    post = {
        "id": "p",
        "title": query,
        "comments": [dict(zip(keys, comment, strict=True)) for comment in comments],
    }
    draft = write_digest(query, texts_of({"query": query, "posts": [post]}), 600)
    assert any(
        item.text.startswith("Most of the dead") for caution in draft.cautions for item in caution.items
    )
    assert not any("rope" in sentence for sentence in sentences(draft))


def test_a_digest_of_one_comment_says_that_one_person_says_it():
    posts = texts_of(OUTLETS)
    told = next(said for post in posts for said in post.utterances if said.comment)
    one = DigestSentence(told.text, (PostQuote(told.post, told.span),))
    other = next(said for post in posts for said in post.utterances if said.comment != told.comment)
    two = DigestSentence(other.text, (PostQuote(other.post, other.span),))
    assert count_speakers(posts, DigestDraft(summary=(one,), highlights=(one,))) == 1
    assert count_speakers(posts, DigestDraft(summary=(one,), highlights=(two,))) == 2
