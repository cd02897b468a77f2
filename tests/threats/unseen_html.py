"""Web pages with words that their readers do not see, by how they are hidden; and pages that only look like it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.parsing.documents import page
from tests.threats.ways_of_hiding import HEADS, MARKUP, SHEETS, STYLES

PROSE = "Passwords are checked against a list of breached passwords before they are accepted by anyone. " * 3
END = "Shown at the end."
_HERE = "WORDS"  # where the payload stands in a template below

# What looks like a trick and is seen.
BENIGN = """
    <p style='color:#777'>WORDS</p>
    <p style='color:#999;font-size:11px'>WORDS</p>
    <small>WORDS</small>
    <p style='font-size:8px'>WORDS</p>
    <p style='font-size:.7em'>WORDS</p>
    <div style='font-size:80%'><p style='font-size:80%'>WORDS</p></div>
    <p>Water<sub>WORDS</sub></p>
    <p>Water<sup>WORDS</sup></p>
    <p style='opacity:.5'>WORDS</p>
    <div style='opacity:.6'><p style='opacity:.6'>WORDS</p></div>
    <div style='background:#123'><p style='color:#fff'>WORDS</p></div>
    <div style='background-color:#000;color:#fff'>WORDS</div>
    <div style='background:url(a.png)'><p style='color:white'>WORDS</p></div>
    <div style='background:linear-gradient(#123,#456)'><p style='color:white'>WORDS</p></div>
    <p style='background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent'>WORDS</p>
    <p style='background:linear-gradient(red,blue);background-clip:text;-webkit-text-fill-color:transparent'>WORDS</p>
    <table bgcolor=black><tr><td style='color:white'>WORDS</td></tr></table>
    <font color=gray>WORDS</font>
    <p style='color:transparent;text-shadow:0 0 0 #000'>WORDS</p>
    <details><summary>More</summary><p>WORDS</p></details>
    <details open><summary>More</summary><p>WORDS</p></details>
    <p aria-hidden=true>WORDS</p>
    <p class=hidden-gem>WORDS</p>
    <p style='left:-9999px'>WORDS</p>
    <p style='overflow:hidden;max-height:20em'>WORDS</p>
    <p style='overflow:hidden'>WORDS</p>
    <p style='text-indent:2em'>WORDS</p>
    <p style='text-indent:-1.5em;padding-left:1.5em'>WORDS</p>
    <p style='margin-left:-10px'>WORDS</p>
    <p style='margin:0 auto'>WORDS</p>
    <p style='position:relative;top:-2px'>WORDS</p>
    <p style='position:absolute;left:0'>WORDS</p>
    <p style='transform:translateX(-50%)'>WORDS</p>
    <p style='transform:scale(.9)'>WORDS</p>
    <p style='transform:rotate(90deg)'>WORDS</p>
    <p style='transform:none;scale:none'>WORDS</p>
    <p style='clip:auto'>WORDS</p>
    <p style='clip-path:inset(0)'>WORDS</p>
    <p style='clip-path:circle(50%)'>WORDS</p>
    <p style='filter:opacity(80%)'>WORDS</p>
    <p style='filter:grayscale(0)'>WORDS</p>
    <p style='line-height:1.2;overflow:hidden'>WORDS</p>
    <p style='line-height:0'>WORDS</p>
    <p style='height:0'>WORDS</p>
    <p style='width:1px'>WORDS</p>
    <p style='zoom:1.1'>WORDS</p>
    <p style='color:bogus;font-size:huge;opacity:x'>WORDS</p>
    <p style='display:bogus'>WORDS</p>
    <p style='display:none;display:block'>WORDS</p>
    <p style='display:none;display:block!important'>WORDS</p>
    <p style='visibility:visible'>WORDS</p>
    <p style='color:var(--unknown)'>WORDS</p>
    <p style='display:var(--unknown)'>WORDS</p>
    <font color=fff>WORDS</font>
    <p style="clip-path:path('')">WORDS</p>
    <p style='color:oklch(.6 .2 20);background:oklch(.6 .2 200)'>WORDS</p>
    <p style='color:lab(50% 60 0);background:lab(50% -60 0)'>WORDS</p>
    <div style='position:relative'><p>WORDS</p><div style='position:absolute;inset:0;background:#0002'></div></div>
    <mark>WORDS</mark>
    <p inert>WORDS</p>
    <dfn title=x>WORDS</dfn>
    <p contenteditable>WORDS</p>
    <div style='visibility:hidden'><p style='visibility:visible'>WORDS</p></div>
    <div style='font-size:0'><p style='font-size:16px'>WORDS</p></div>
    <div style='color:white'><p style='color:black'>WORDS</p></div>
    <div style='text-indent:-9999px'><p style='text-indent:0'>WORDS</p></div>
    <div style='line-height:0;overflow:hidden'><p style='line-height:1.5'>WORDS</p></div>
    <ruby>WORDS<rp>(</rp><rt>kana</rt></ruby>
""".strip().splitlines()

BENIGN_SHEETS = """
    @media print { .x { display: none } }
    @media (max-width: 600px) { .x { display: none } }
    @media not screen { .x { display: none } }
    @media print, speech { .x { display:none } }
    @media (prefers-reduced-motion: reduce) { .x { opacity:0 } }
    @supports not (display:block) { .x { display: none } }
    @supports (display:nonsense-value) { .x { display: none } }
    @font-face { font-family:x }
    @keyframes a { from { opacity:0 } to { opacity:1 } }
    .x:hover { display: none }
    .x::before { display: none }
    .x:empty { display:none }
    .x:not(.note) { display:none }
    .x + .o { display: none }
    .other .x { opacity: 0 }
    .other > .x { display:none }
    [data-k=w] { display:none }
    [data-z] { display:none }
    [class=x] { display:none }
    .x { display: none } .x.note { display: block }
    .x { display: none } p#one { display: block }
    .x { display: none } .x { display: revert }
    .o p:nth-child(2) { display:none }
    .o p:last-of-type + p { display:none }
    .before .x { display:none }
    .o { background:#111 } .x { color:white }
    .o { .y { display:none } }
    .x { color:#767676; font-size:.8rem }
    body { background:#111; color:#eee }
    :root { --c:#333 } .x { color:var(--c) }
""".strip().splitlines()


def _whole(body: str, head: str = "") -> bytes:
    return page(f"<main><p>{PROSE}</p>{body}<p>{END}</p></main>", head=head)


def _under(sheet: str, words: str) -> bytes:
    body = f"<i class=before>Then</i><div class=o><p class='x note' id=one data-k=v>{words}</p></div>"
    return _whole(body, f"<style>{sheet}</style>")


def plain(words: str) -> str:
    """Without what would be markup inside of an attribute or a comment."""
    return words.replace("<", "(").replace(">", ")").replace("'", "’").replace('"', "”")


def hidden(words: str) -> Iterator[tuple[str, bytes]]:
    """Each way of hiding, with its page."""
    words = plain(words)
    for style in map(str.strip, STYLES):
        quote = '"' if "'" in style else "'"
        yield f"style {style}", _whole(f"<p style={quote}{style}{quote}>{words}</p>")
    for markup in map(str.strip, MARKUP):
        yield f"markup {markup}", _whole(markup.replace(_HERE, words))
    for sheet in map(str.strip, SHEETS):
        yield f"sheet {sheet}", _under(sheet, words)
    for head in map(str.strip, HEADS):
        said = head.replace(_HERE, words)
        shown = "Shown." if _HERE in head else words
        yield f"head {head}", _whole(f"<div class=o><p class=x>{shown}</p></div>", said)
    yield from _of_the_whole_page(words).items()


def _of_the_whole_page(words: str) -> Mapping[str, bytes]:
    long = f"<p>{words}</p>" * 40
    body = f"<p>{PROSE * 3}</p>"
    return {
        "body bgcolor and text": page(f"<p style='color:#eee'>{PROSE}</p><p>{words}</p>").replace(
            b"<body>", b"<body bgcolor='#101010' text='#101010'>"
        ),
        "body in a sheet": page(
            f"<p style='color:#eee'>{PROSE}</p><p>{words}</p>", head="<style>body{background:#111;color:#111}</style>"
        ),
        "root in a sheet": page(
            f"<p style='color:#eee'>{PROSE}</p><p style='color:#111'>{words}</p>",
            head="<style>html{background:#111}</style>",
        ),
        "more hidden by a sheet than seen": page(
            f"{body}<div class=x>{long}</div>", head="<style>.x{display:none}</style><script>go()</script>"
        ),
        "behind the end of the page": page(body) + f"<p hidden>{words}</p>".encode(),
        "before the page": f"<!-- {words} -->".encode() + page(body),
        "a second body": page(f"{body}</body><body hidden><p style='display:none'>{words}</p>"),
        "a title inside of the page": page(f"{body}<title>{words}</title>"),
    }  # fmt: skip


def list_benign_pages(words: str) -> Iterator[tuple[str, bytes]]:
    """Each page that only looks like a trick."""
    for markup in map(str.strip, BENIGN):
        yield f"markup {markup}", _whole(markup.replace(_HERE, words))
    for sheet in map(str.strip, BENIGN_SHEETS):
        yield f"sheet {sheet}", _under(sheet, words)
