"""Code: which language it is in, and whether its parser takes it."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.pipelines.technical.code.check_technical_code import LONGEST, CodeCheckStatus, check
from research.pipelines.technical.code.detect_technical_code_language import language_of
from tests.often import often

SAMPLES = [
    ("SELECT * FROM items ORDER BY embedding <-> '[3,1,2]' LIMIT 5;", "sql", CodeCheckStatus.PASSED),
    ("CREATE INDEX ON items USING hnsw (embedding vector_l2_ops);", "sql", CodeCheckStatus.UNCHECKED),
    ("from annoy import AnnoyIndex\nt = AnnoyIndex(40, 'angular')\n", "python", CodeCheckStatus.PASSED),
    ("def f(x):\n    return (x\n", "python", CodeCheckStatus.FAILED),
    (">>> import bcrypt\n>>> bcrypt.gensalt()\nb'...'\n", "python", CodeCheckStatus.PASSED),
    ("$ pip install bcrypt", "bash", CodeCheckStatus.PASSED),
    ("git clone <REPO_URL>\ncd <REPO_URL>", "bash", CodeCheckStatus.UNCHECKED),
    ('{"a": [1, 2]}', "json", CodeCheckStatus.PASSED),
    ("const a = 1;\nconsole.log(a);\n", "javascript", CodeCheckStatus.PASSED),
    ("const a = {;\nconsole.log(a);\n", "javascript", CodeCheckStatus.FAILED),
    ("fn main() {\n    let mut x = vec![1];\n}\n", "rust", CodeCheckStatus.PASSED),
    ("BEGIN;\nSET LOCAL hnsw.ef_search = 100;\nSELECT ...\nCOMMIT;", "sql", CodeCheckStatus.UNCHECKED),
    (
        "location /chat/ {\n    proxy_pass http://backend;\n    proxy_set_header Upgrade $http_upgrade;\n}",
        "nginx",
        CodeCheckStatus.UNCHECKED,
    ),
    ("graph TD\n  A --> B", "mermaid", CodeCheckStatus.UNCHECKED),
    ("R@1  R@10\n0.17 0.29", "", CodeCheckStatus.UNCHECKED),
    ("```python\nx\n```", "", CodeCheckStatus.UNCHECKED),
]


@pytest.mark.parametrize(("code", "language", "outcome"), SAMPLES)
def test_a_block_is_known_and_checked(code, language, outcome):
    assert (language_of(code), check(code, language).check) == (language, outcome)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one[0][:20])
def test_what_did_not_pass_says_why(sample):
    found = check(sample[0], sample[1])
    assert bool(found.reason) == (found.check is not CodeCheckStatus.PASSED)


def test_the_words_around_a_block_decide_between_languages():
    assert language_of("const x = 1;", "How to do it in JavaScript") == "javascript"


@given(st.text(max_size=400))
@often(100)
def test_python_that_its_parser_refuses_is_never_shown_as_checked(code):
    passed = check(code, "python").check is CodeCheckStatus.PASSED
    if passed and ">>>" not in code:
        first = next((line for line in code.split("\n") if line.strip()), "")
        indent = first[: len(first) - len(first.lstrip())]
        ast.parse("\n".join(line.removeprefix(indent) for line in code.split("\n")))


@pytest.mark.parametrize(
    "code", ["(" * 5_000, "x" * (LONGEST + 1), "[" * 100 + "]" * 100, "\0", "-" * 19_000 + "1"]
)
def test_what_would_break_a_parser_is_not_given_to_it_or_refused(code):
    assert check(code, "python").check is not CodeCheckStatus.PASSED


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("go", "file, err := os.Open(path)\nif err != nil {\n\tlog.Fatal(err)\n}\ndefer file.Close()"),
        ("go", "func add(a int) int {\n\treturn a\n}"),
        ("java", "for (String line : lines) { System.out.println(line); }"),
        ("java", "public int add(int a) { return a; }"),
        ("csharp", 'Console.WriteLine("a"); if (a > 1) { Run(); }'),
        ("rust", 'let a = 1;\nfor line in lines { println!("{}", line); }'),
        ("cpp", "for (int i = 0; i < 3; ++i) { std::cout << i; }"),
        ("php", "foreach ($rows as $row) { echo $row; }"),
    ],
)
def test_statements_of_a_page_need_no_function_around_them(language, code):
    assert check(code, language).check is CodeCheckStatus.PASSED


@pytest.mark.parametrize("language", ["go", "java", "csharp", "rust", "cpp"])
def test_a_bracket_that_is_missing_is_still_a_fault(language):
    assert check("if (a > 1) { run(1;", language).check is CodeCheckStatus.FAILED
