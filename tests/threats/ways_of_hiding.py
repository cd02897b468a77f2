"""Ways to hide words of a web page from its readers, as CSS and markup; `WORDS` is where the words stand."""

# Declarations of a style attribute.
STYLES = """
    display:none
    DISPLAY : NONE !important
    color:red;/* x */display/**/:none
    display:none;display:nonsense
    display:none!important;display:block
    display:n\\6fne
    d\\69splay:none
    display:block;display:none
    --shown:none;display:var(--shown)
    visibility:hidden
    visibility: collapse
    visibility:hidden!IMPORTANT
    content-visibility:hidden
    opacity:0
    opacity:.01
    opacity:1%
    opacity:0e0
    opacity:-1
    opacity:calc(0)
    opacity: 0.0 !important
    filter:opacity(0%)
    filter:blur(2px) opacity(0)
    filter:opacity(.01)
    mask:linear-gradient(transparent,transparent)
    -webkit-mask-image:linear-gradient(#0000,#0000)
    font-size:0
    font-size:1px
    font-size:0.1em
    font-size:.001rem
    font-size:1%
    font-size:1e-3px
    font-size:calc(0px)
    font-size:calc(1px * .5)
    font-size:min(1px,2px)
    font:1px/1 serif
    font:italic 0 serif
    font:0/0 a
    zoom:0.01
    color:white
    color:#fefefe
    color:#ffff
    color:#ffffffff
    color:rgb(255,255,255)
    color:rgb(255 255 255 / 100%)
    color:hsl(0 0% 100%)
    color:hwb(0 100% 0%)
    color:lab(100% 0 0)
    color:oklch(1 0 0)
    color:color(srgb 1 1 1)
    color:mintcream
    color:Canvas
    color:transparent
    color:#0000
    color:#00000003
    color:rgba(0,0,0,0)
    color:rgb(0 0 0 / 1%)
    color:hsla(120,50%,50%,.01)
    --ink:#fff;color:var(--ink)
    color:var(--none, white)
    color:#000;background:#000
    color:navy;background-color:navy
    color:#102030;background:#102030 none repeat
    color:rebeccapurple;background:#663399
    color:tomato;background:#ff6347
    background:linear-gradient(#fff,#fff);color:#fff
    color:white;background:white url()
    -webkit-text-fill-color:transparent
    -webkit-text-fill-color:white
    color:black;-webkit-text-fill-color:rgba(0,0,0,0)
    position:absolute;left:-9999px
    position:fixed;top:-200em
    position:absolute;right:-9999px
    position:absolute;top:-9999px
    position:fixed;left:200vw
    position:absolute;inset:-9999px auto auto -9999px
    position:absolute;inset-inline-start:-9999px
    position:relative;left:-5000px
    position:absolute;left:calc(-100vw - 500px)
    position:absolute;left:-100vw;width:90vw
    position:absolute;left:-1000%
    position:absolute;left:-1e5px
    text-indent:-9999px
    text-indent:-999em
    text-indent:100%;white-space:nowrap;overflow:hidden
    margin-left:-5000px
    margin:-9999px
    margin:0 0 0 -9999px
    margin-inline-start:-9999px
    transform:translateX(-10000px)
    transform:translate(-9999px,0)
    transform:translate3d(0,-9999px,0)
    transform:translateY(-9999em)
    transform:translateX(9999px)
    transform:matrix(1,0,0,1,-9999,0)
    translate:-9999px 0
    transform:scale(0)
    transform:scaleX(0)
    transform:scale3d(0,0,0)
    transform:scale(0.001)
    transform:matrix(0,0,0,0,0,0)
    scale:0
    transform:rotateX(90deg)
    transform:rotateY(.25turn)
    rotate:y 90deg
    clip:rect(0,0,0,0);position:absolute
    clip:rect(1px, 1px, 1px, 1px);position:absolute
    clip:rect(0 0 0 0);position:fixed
    clip-path:inset(100%)
    clip-path:inset(50%)
    clip-path:inset(0 100% 0 0)
    clip-path:inset(0 0 100%)
    clip-path:circle(0)
    clip-path:circle(0px at 10px 10px)
    clip-path:ellipse(0 0)
    clip-path:polygon(0 0)
    clip-path:polygon(0 0, 0 0, 0 0)
    clip-path:polygon(0px 0px,0px 0px,0px 0px,0px 0px)
    clip-path:path("M0 0")
    -webkit-clip-path:inset(100%);clip-path:inset(100%)
    height:0;overflow:hidden
    height:0;overflow:clip
    width:1px;height:1px;overflow:hidden
    width:0;overflow:hidden;white-space:nowrap
    max-height:0px;overflow-y:hidden
    max-width:0;overflow:hidden
    block-size:0;overflow:hidden
    max-block-size:0;overflow:hidden
    inline-size:0;overflow:hidden;white-space:nowrap
    height:0;overflow:auto
    height:0;overflow:scroll
    height:calc(0px);overflow:hidden
    line-height:0;overflow:hidden
    height:.5px;overflow:hidden
    aspect-ratio:1;width:0;overflow:hidden
    contain:strict
""".strip().splitlines()

# Elements; WORDS is where the words stand.
MARKUP = """
    <!-- WORDS -->
    <!--[if IE]><p>WORDS</p><![endif]-->
    <!--[if !mso]>WORDS<![endif]-->
    <!---->x<!-- WORDS --->
    <!WORDS>
    <?php WORDS ?>
    </ WORDS>
    <p hidden>WORDS</p>
    <p hidden=until-found>WORDS</p>
    <p HIDDEN="">WORDS</p>
    <p hidden style='color:red'>WORDS</p>
    <div popover>WORDS</div>
    <div popover=manual><p>WORDS</p></div>
    <template><p>WORDS</p></template>
    <template><div><p>WORDS</p></div></template>
    <div><template shadowrootmode=open><p>Shown.</p></template><p>WORDS</p></div>
    <noscript>WORDS</noscript>
    <noscript><p>WORDS</p></noscript>
    <noframes>WORDS</noframes>
    <noembed>WORDS</noembed>
    <script type=text/plain>WORDS</script>
    <script type=application/json>{"a": "WORDS"}</script>
    <style>/* WORDS */</style>
    <textarea hidden>WORDS</textarea>
    <input type=hidden value='WORDS'>
    <select><option>One<option label='WORDS'>WORDS</select>
    <datalist><option>WORDS</option></datalist>
    <dialog>WORDS</dialog>
    <iframe>WORDS</iframe>
    <iframe srcdoc='<p>WORDS</p>' hidden></iframe>
    <object data='about:blank'>WORDS</object>
    <video>WORDS</video>
    <audio controls>WORDS</audio>
    <canvas>WORDS</canvas>
    <svg width=0 height=0><text>WORDS</text></svg>
    <svg><desc>WORDS</desc><title>WORDS</title></svg>
    <svg><metadata>WORDS</metadata></svg>
    <math><semantics><mi>x</mi><annotation>WORDS</annotation></semantics></math>
    <math><semantics><mi>x</mi><annotation encoding='text/plain'>WORDS</annotation></semantics></math>
    <ruby>kanji<rp>WORDS</rp><rt>kana</rt></ruby>
    <img src=a.png alt='WORDS'>
    <img src=a.png title='WORDS' aria-label='WORDS'>
    <a href='https://example.com/?WORDS' title='WORDS'>link</a>
    <abbr title='WORDS'>abbr</abbr>
    <p data-note='WORDS' aria-description='WORDS'>Shown.</p>
    <area alt='WORDS'>
    <param name=x value='WORDS'>
    <meta name=description content='WORDS'>
    <span class='sr-only'>WORDS</span>
    <span class='visually-hidden'>WORDS</span>
    <span class='screen-reader-text'>WORDS</span>
    <font color='#FFFFFF'>WORDS</font>
    <font color=white>WORDS</font>
    <font size=1 style='font-size:1px'>WORDS</font>
    <table bgcolor=black style='color:black'><tr><td>WORDS</td></tr></table>
    <table><tr style='display:none'><td>WORDS</td><td>1</td></tr></table>
    <table><tr><td hidden>WORDS</td><td>1</td></tr></table>
    <table><tr style='visibility:collapse'><td>WORDS</td><td>2</td></tr></table>
    <table><tr><td>1</td><td style='font-size:0'>WORDS</td></tr></table>
    <table><caption style='opacity:0'>WORDS</caption><tr><td>1</td><td>2</td></tr></table>
    <ul><li>One</li><li style='display:none'>WORDS</li></ul>
    <blockquote style='visibility:hidden'>WORDS</blockquote>
    <h2 style='position:absolute;left:-9999px'>WORDS</h2>
    <pre style='display:none'>WORDS</pre>
    <figure><figcaption style='clip-path:inset(100%)'>WORDS</figcaption></figure>
    <details style='display:none'><summary>More</summary>WORDS</details>
    <div style='display:none'><div><p>WORDS</p></div></div>
    <div style='display:none'><p style='display:block'>WORDS</p></div>
    <div style='opacity:0'><p style='opacity:1'>WORDS</p></div>
    <div style='opacity:.2'><p style='opacity:.2'>WORDS</p></div>
    <div style='font-size:.2em'><p style='font-size:.2em'>WORDS</p></div>
    <div style='font-size:10%'><p>WORDS</p></div>
    <div style='color:white'><p>WORDS</p></div>
    <div style='color:white'><ul><li>WORDS</li></ul></div>
    <div style='color:transparent'><b>WORDS</b></div>
    <div style='height:0;overflow:hidden'><p>WORDS</p></div>
    <div style='position:absolute;left:-9999px'><p style='color:red'>WORDS</p></div>
    <p>Shown <span style='font-size:0'>WORDS</span> here.</p>
    <p>Shown <b style='display:none'>WORDS</b><i> and on.</i></p>
    <p>Sh<span style='display:none'>WORDS</span>own.</p>
    <p style='color:#fff;background:#000'><span style='color:#000'>WORDS</span></p>
    <div style='background:#123456'><p style='color:#123456'>WORDS</p></div>
    <div style='position:relative'><p>WORDS</p><div style='position:absolute;inset:0;background:#fff'></div></div>
    <p inert style='opacity:0'>WORDS</p>
    <slot hidden>WORDS</slot>
    <o:p style='display:none'>WORDS</o:p>
    <x-secret style='display:none'>WORDS</x-secret>
""".strip().splitlines()

# Rules of the page's own sheet, over <p class='x note' id=one data-k=v>WORDS</p> in a <div class=o>.
SHEETS = """
    .x { display: none }
    p.x{visibility:hidden}
    P.x { display:none }
    .o .x { opacity: 0 }
    .o > p.x { font-size:0 }
    main .o > .x { font-size:0 }
    .y, .x { color: #fff }
    #one { position:absolute; left:-9999px }
    /* a */ .x {/* b */ display:none }
    @charset 'utf-8'; .x { display:none }
    @import url(a.css); .x { display:none }
    @media print { p { color: red } } .x { display:none }
    @media screen { .x { display:none } }
    @media all { .x { display:none } }
    @media only screen { .x { display:none } }
    @media screen, print { .x { display:none } }
    @media (min-width: 1px) { .x { display:none } }
    @media screen and (min-width:0px) { .x { display:none } }
    @media not print { .x { display:none } }
    @supports (display:block) { .x { display:none } }
    @layer base { .x { display:none } }
    @layer a, b; .x { display:none }
    @layer { @media screen { .x { display:none } } }
    @scope (.o) { .x { display:none } }
    .o { .x { display:none } }
    .o { & .x { display:none } }
    .x { &.note { display:none } }
    [data-k] { display:none }
    [data-k=v] { display:none }
    p[data-k="v"] { display:none }
    [class~=x] { display:none }
    [class*="note"] { display:none }
    [id^=on] { display:none }
    [id$='ne'] { display:none }
    .x[id] { display:none }
    :is(.x) { display:none }
    :where(.x, .q) { display:none }
    .o p:not(.seen) { display:none }
    .o p:first-child { display:none }
    .o > :first-child { display:none }
    .o :nth-child(1) { display:none }
    .o p:only-child { display:none }
    .o *.x { display:none }
    .before + .o .x { display:none }
    .before ~ .o > .x { display:none }
    .\\78 { display:none }
    .x { display:none !important }
    .x { display:none; display:bogus }
    .x { display:none !important } .x { display:block }
    .x { color:red } .x { color:white }
    :root { --c: #fff } .x { color: var(--c) }
    html { --d: none } .x { display: var(--d) }
    .x { position:absolute; clip:rect(0 0 0 0) }
    .x { text-indent:-9999px }
    .x { transform:scale(0) }
    .o { display:none }
    .o { height:0; overflow:hidden }
    .o { opacity:0 }
    .o { color:#fff }
    .o { color:#fff; background:#fff }
    .o { background:#222 } .x { color:#222 }
    .x { font:0/0 a }
    .x { display:none }}}} .y {
    .x{display:none
    <!-- .x { display:none } -->
""".strip().splitlines()

# How else a sheet comes to a page.
HEADS = """
    <style media=screen>.x{display:none}</style>
    <style media=all>.x{display:none}</style>
    <style media="only screen">.x{display:none}</style>
    <style type=text/css>.x{display:none}</style>
    <link rel=stylesheet href="data:text/css,.x{display:none}">
    <link rel=stylesheet href="data:text/css;base64,Lnh7ZGlzcGxheTpub25lfQ==">
    <meta name=description content='WORDS'>
    <meta name=keywords content='WORDS'>
    <meta property=og:description content='WORDS'>
    <meta property=og:title content='WORDS'>
    <meta name=author content='WORDS'>
    <meta property=og:site_name content='WORDS'>
    <meta name=citation_title content='WORDS'>
    <meta name=twitter:title content='WORDS'>
    <script type=application/ld+json>{"@type":"Article","headline":"WORDS","publisher":{"name":"WORDS"}}</script>
    <script type=application/ld+json>{"@type":"Article","author":{"@type":"Person","name":"WORDS"}}</script>
    <script type=application/ld+json>{"@type":"Article","articleBody":"WORDS","description":"WORDS"}</script>
    <!-- WORDS -->
""".strip().splitlines()
