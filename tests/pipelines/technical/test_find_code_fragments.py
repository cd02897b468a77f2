"""Code that stands among sentences becomes no claim; sentences about code may."""

import pytest

from research.extractive.candidate_sentences import Candidate
from research.pipelines.technical.choose_technical_sentences import is_statement
from research.pipelines.technical.code.find_technical_code_fragments import is_code

CODE = [
    "index = faiss.IndexFlatL2(d) index.add(xb) index.search(xq, k)",
    "from annoy import AnnoyIndex import random",
    "class Author(models.Model): name = models.CharField(max_length=30)",
    "def encode(self, password, salt): return super().encode(password, salt)",
    "SELECT * FROM items ORDER BY embedding <-> '[3,1,2]' LIMIT 5;",
    "CREATE INDEX ON items USING hnsw (embedding vector_l2_ops);",
    "SET hnsw.ef_search = 100;",
    "$ sudo apt-get install build-essential cargo",
    ">>> # verifying a password... >>> ok = pwd_context.verify('somepass', hash)",
    "const index = new HierarchicalNSW('l2', dimensions);",
    "for (int i = 0; i < n; i++) { index.add(i, data[i]);",
    '[ "django.contrib.auth.hashers.PBKDF2PasswordHasher", "django.contrib.auth.hashers.Argon2PasswordHasher", ]',
]
PROSE = [
    "Call `index.add(xb)` before `index.search(xq, k)`.",
    "Set `hnsw.ef_search` to 100 for a higher recall.",
    "SET LOCAL changes the setting until the transaction ends.",
    "SELECT queries use the index where their ORDER BY has one distance alone.",
    "Import the module before its settings are read.",
    "Reusing previously created indices (when loading and saving is supported by a method);",
    "capex = (price of all components) X (number of systems that are needed for 100,000 qps)",
    "With M = 16 the index of the SIFT1M data set took 0.7 GB.",
    "If recall falls, increase efSearch; while it is high, lower it.",
    "The class that stores vectors is named IndexFlatL2.",
    "See also [the guide](https://docs.example/guide#a) for what PBKDF2 with SHA-256 takes.",
]


@pytest.mark.parametrize("text", CODE)
def test_code_is_no_statement(text):
    assert is_code(text)
    assert not is_statement(Candidate("d", 0, len(text), text))


@pytest.mark.parametrize("text", PROSE)
def test_words_about_code_are_not_code(text):
    assert not is_code(text)
