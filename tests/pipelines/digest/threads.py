"""Discussions for tests, as a fetch brings them."""

import json
from collections.abc import Mapping

OUTLETS = {
    "query": "replace two prong outlet without ground",
    "plan_id": "plan-7",
    "posts": [
        {
            "id": "p1",
            "subreddit": "HomeImprovement",
            "title": "Two-prong outlets, what now?",
            "selftext": "There is no ground in the boxes.",
            "author": "ann",
            "score": 40,
            "created_utc": 1_790_000_000,
            "url": "https://forum.example/p1/?utm_source=share&b=2",
            "comments": [
                {"id": "c1", "parent_id": "t3_p1", "author": "ben", "score": 90,
                 "body": "A GFCI protects people from shock, it does not create a ground. Many insurers ask about it."},
                {"id": "c2", "parent_id": "t3_p1", "author": "cat", "score": -20,
                 "body": "Just jumper neutral to the ground screw, works fine."},
                {"id": "c3", "parent_id": "t1_c2", "author": "dan", "score": 70,
                 "body": "That is a bootleg ground. If the neutral opens, the case becomes live."},
                {"id": "c4", "parent_id": "t3_p1", "author": "eve", "score": 5,
                 "body": "Does a surge protector need a ground at all?"},
            ],
        },
        {
            "id": "p2",
            "subreddit": "r/Electrical",
            "title": "Is GFCI on an ungrounded circuit allowed?",
            "selftext": "",
            "score": 9,
            "url": "https://forum.example/p2/",
            "comments": [
                {"id": "d1", "parent_id": "t3_p2", "author": "fay", "score": 12,
                 "body": "It is allowed with a label, but a grounded circuit is better for electronics."},
            ],
        },
    ],
    "errors": [],
}  # fmt: skip


def as_file(thread: Mapping[str, object]) -> bytes:
    return json.dumps(thread).encode()
