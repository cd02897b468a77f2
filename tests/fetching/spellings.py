"""Addresses that must never be dialled, in every spelling we know, and some that must: our own list."""

# What the fake resolver answers; a name that is missing does not exist.
NAMES = {
    "public.example.com": ["93.184.215.14"],
    "both.example.com": ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
    "six.example.com": ["2606:4700:4700::1111"],
    "mapped.example.com": ["::ffff:93.184.215.14"],
    "nat64.example.com": ["64:ff9b::5db8:d70e"],
    "xn--mnchen-3ya.example.com": ["93.184.215.14"],
    "xn--r8jz45g.xn--zckzah.example.com": ["93.184.215.14"],
    "xn--strae-oqa.example.com": ["93.184.215.14"],
    "example.com": ["93.184.215.14"],
    "123.example.com": ["93.184.215.14"],
    "a.b.c.d.example.co.uk": ["93.184.215.14"],
    "under_score.example.com": ["93.184.215.14"],
    "local.example.com": ["93.184.215.14"],
    "internal.example.com": ["93.184.215.14"],
    "localhost.example.com": ["93.184.215.14"],
    "127.example.com": ["93.184.215.14"],
    "0x7f.example.com": ["93.184.215.14"],
    # names of others that lead inside
    "localtest.example.net": ["127.0.0.1"],
    "six-inside.example.net": ["::1"],
    "mixed.example.net": ["93.184.215.14", "10.0.0.5"],
    "mixed-six.example.net": ["93.184.215.14", "fd00::5"],
    "metadata.example.net": ["169.254.169.254"],
    "cgnat.example.net": ["100.64.0.1"],
    "unspecified.example.net": ["0.0.0.0"],
    "link-local.example.net": ["fe80::1%eth0"],
    "mapped-inside.example.net": ["::ffff:10.0.0.1"],
    "nat64-inside.example.net": ["64:ff9b::a00:1"],
    "sixtofour-inside.example.net": ["2002:a00:1::"],
    "teredo.example.net": ["2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    "compatible.example.net": ["::10.0.0.1"],
    "azure.example.net": ["168.63.129.16"],
    "multicast.example.net": ["224.0.0.1"],
    "own.example.net": ["45.83.104.7"],
    "empty.example.net": [],
    "nonsense.example.net": ["no address"],
    "127.0.0.1.nip.example.net": ["127.0.0.1"],
    "7f000001.nip.example.net": ["127.0.0.1"],
    "localhost": ["127.0.0.1"],
    "metadata.google.internal": ["169.254.169.254"],
    "router.lan": ["192.168.0.1"],
    "intranet": ["10.1.2.3"],
    "printer.local": ["192.168.0.9"],
}

_DENIED_4 = """
    0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.254 127.0.0.1 127.1.2.3
    127.255.255.254 169.254.0.1 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.254 192.0.0.1 192.0.0.170
    192.0.0.192 192.0.0.255 192.0.2.1 192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.7
    203.0.113.9 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 168.63.129.16 45.83.104.7
""".split()

_DENIED_6 = """
    :: ::1 0:0:0:0:0:0:0:1 0000:0000:0000:0000:0000:0000:0000:0001 ::127.0.0.1 ::7f00:1 ::10.0.0.1 ::8.8.8.8
    ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:a9fe:a9fe ::ffff:169.254.169.254 ::FFFF:192.168.0.1
    0:0:0:0:0:ffff:10.0.0.1 ::ffff:0.0.0.0 ::ffff:100.64.0.1 ::ffff:168.63.129.16 ::ffff:45.83.104.7
    ::ffff:0:127.0.0.1 ::ffff:0:a9fe:a9fe
    64:ff9b::127.0.0.1 64:ff9b::7f00:1 64:ff9b::169.254.169.254 64:ff9b::a9fe:a9fe 64:ff9b::10.0.0.1
    64:ff9b::192.168.1.1 64:ff9b::100.64.0.1 64:ff9b::168.63.129.16 64:ff9b::45.83.104.7 64:ff9b:1::1
    64:ff9b:1::10.0.0.1 64:ff9b:1:ffff::8.8.8.8
    2002:7f00:1:: 2002:7f00:0001::1 2002:a9fe:a9fe:: 2002:a00:1:: 2002:c0a8:101::1 2002:808:808::
    2001::1 2001:0:7f00:1:: 2001:0:a00:1:: 2001:0:4136:e378:8000:63bf:80ff:fffe 2001:2::1 2001:10::1 2001:20::1
    2001:db8::1 2001:db8:ffff::1 3fff::1 3fff:fff::1 5f00::1 100::1 100:0:0:1::1
    fc00::1 fd00::1 fd00:ec2::254 fd20:ce::254 fdff:ffff::1 fe80::1 fe80::a9fe:a9fe febf::1 fec0::1 feff::1
    ff00::1 ff02::1 ff05::1:3 ff0e::1 4000::1 8000::1 a000::1 1::1 2001:1ff::1
""".split()

_ODD_HOSTS = """
    2130706433 0x7f000001 0X7F000001 017700000001 127.1 127.0.1 0x7f.1 0x7f.0.0.1 0177.0.0.1 0177.0.0.01 00.0.0.0
    127.0.0.01 127.0.0.0x1 0 00 0x0 1 2852039166 0xa9fea9fe 0251.0376.0251.0376 0xa9.0xfe.0xa9.0xfe 169.254.43518
    169.16689662 425.510.425.510 127.0.0.1. 127.0.0.1.. 127.0.0.256 127.0.0.1.1 3232235521 0xc0a80001 10.1 10.65535
    192.168.1 4294967295 4294967296 18446744073709551617 0x 127.0.0.0x 1.2.3.08 127..0.1 .127.0.0.1 1.1.1.1.
    １２７.0.0.1 127。0。0。1 127．0．0．1 127｡0｡0｡1 ①②⑦.⓪.⓪.① 𝟏𝟐𝟕.𝟎.𝟎.𝟏 ⅼocalhost ⓛⓞⓒⓐⓛⓗⓞⓢⓣ ｌｏｃａｌｈｏｓｔ
    localhost。 ２１３０７０６４３３ ０ｘ7f000001
    １６９．２５４．１６９．２５４ ⑯⑨.254.169.254 ٱ١٢٧.٠.٠.١ 127.0.0.１
    ｉｎｔｒａｎｅｔ metadata。google。internal router．lan
    localhost LOCALHOST LocalHost localhost. a.localhost localhost.localdomain intranet metadata
    metadata.google.internal metadata.google.internal. printer.local router.lan nas.home.arpa db.corp wiki.intranet
    gw.home x.private service.cluster.local host.docker.internal 1.0.0.127.in-addr.arpa abc.onion
    [::1%25eth0] [fe80::1%eth0] [::1 ::1] [] [::1]. [127.0.0.1] [::ffff:127.0.0.1%1] [1] [::g]
    -dash.example.com dash-.example.com a..example.com .example.com example..com exa$mple.com exa*mple.com ex^ample.com
    example.com%2e %6c%6f%63%61%6c%68%6f%73%74 127.0.0.1%00.example.com 127.0.0.1%2f.example.com 127%2e0%2e0%2e1
    127.0.0.1:80:80 example.com:0x50 example.com:99999 example.com:-1 example.com:８０ example.com:+80
""".split()

_WHOLE = [
    "http://user@public.example.com/", "http://user:pass@public.example.com/", "http://@public.example.com/",
    "http://public.example.com@127.0.0.1/", "http://127.0.0.1@public.example.com/", "http://:@public.example.com/",
    "http://public.example.com:80@127.0.0.1/", "http://public.example.com%40127.0.0.1/", "http://a@b@127.0.0.1/",
    "http://127.0.0.1\\@public.example.com/", "http://public.example.com\\@127.0.0.1/",
    "http:\\\\127.0.0.1/", "http:/\\127.0.0.1/", "http://public.example.com\\.127.0.0.1/",
    "http://127.0.0.1#@public.example.com/", "http://127.0.0.1?@public.example.com/", "http://127.0.0.1;/",
    "http:127.0.0.1/", "http:/127.0.0.1/", "http:///127.0.0.1/", "//127.0.0.1/", "127.0.0.1", "public.example.com",
    "http://", "http:///", "http://?x", "http://#x", "http:", "", "   ", "/", "?", "javascript:alert(1)", "about:blank",
    "file:///etc/passwd", "file://localhost/etc/passwd", "ftp://public.example.com/", "gopher://127.0.0.1:6379/_x",
    "dict://127.0.0.1:11211/stat", "ldap://127.0.0.1/", "data:text/html,x", "unix:/tmp/a.sock", "blob:http://x/",
    "ws://public.example.com/", "jar:http://127.0.0.1!/", "view-source:http://127.0.0.1/", "tftp://127.0.0.1/",
    "http+unix://%2Ftmp%2Fa.sock/", "netdoc:///etc/passwd", "php://filter", "phar://x", "sftp://127.0.0.1/",
    "http://public.example.com\n.127.0.0.1/", "http://127.0.0.1\t/", "ht\ntp://public.example.com/",
    "http://public.example.com/\r\nHost: 127.0.0.1", "http://public.example.com\x00.127.0.0.1/",
    "http://public\u200b.example.com/", "http://public\u00ad.example.com/", "http://\u202epublic.example.com/",
    "http://public.example.com/\x7f", "http://public.example.com/\x1b[0m", "http://public example.com/",
    "http://public.example.com:22/", "http://public.example.com:25/", "http://public.example.com:6379/",
    "http://public.example.com:5432/", "http://public.example.com:9200/", "http://public.example.com:0/",
    "http://public.example.com:65536/", "https://public.example.com:11211/", "http://public.example.com:2375/",
    "http://" + "a" * 64 + ".example.com/", "http://" + "a." * 130 + "com/", "http://public.example.com/" + "a" * 8_000,
]  # fmt: skip

_INSIDE_NAMES = [name for name in NAMES if name.endswith(".example.net")]

DENIED = sorted(
    {
        *(f"http://{host}/" for host in (*_DENIED_4, *_ODD_HOSTS, *_INSIDE_NAMES)),
        *(f"http://[{host}]/" for host in _DENIED_6),
        *(f"https://{host}:8443/latest/meta-data/" for host in ("127.0.0.1", "169.254.169.254", "[::1]")),
        *_WHOLE,
    }
)

ALLOWED = [
    "http://public.example.com/", "https://public.example.com/", "HTTP://PUBLIC.EXAMPLE.COM/", "https://example.com",
    "http://public.example.com:80/", "https://public.example.com:443/", "http://public.example.com:8080/a",
    "https://public.example.com:8443/a", "http://public.example.com./", "http://public.example.com:/",
    "http://public.example.com/a?b=c#d", "http://public.example.com?q=a@b", "http://public.example.com/@user",
    "http://public.example.com/a:b/c", "http://public.example.com/a%20b%2Fc", "http://public.example.com/a b",
    "http://public.example.com/?url=http://127.0.0.1/", "http://public.example.com/#http://127.0.0.1/",
    "http://public.example.com//a//b", "http://public.example.com/straße?q=käse", " http://public.example.com/ ",
    "http://both.example.com/", "http://six.example.com/", "http://mapped.example.com/", "http://nat64.example.com/",
    "https://münchen.example.com/", "https://MÜNCHEN.example.com/", "https://xn--mnchen-3ya.example.com/",
    "https://straße.example.com/", "http://ｐｕｂｌｉｃ.example.com/", "http://public。example。com/",
    "http://8.8.8.8/", "http://1.1.1.1:8080/", "http://93.184.215.14/", "http://100.63.255.255/", "http://100.128.0.1/",
    "http://9.255.255.255/", "http://11.0.0.0/", "http://172.15.0.1/", "http://172.32.0.1/", "http://192.0.1.1/",
    "http://192.167.255.255/", "http://192.169.0.1/", "http://198.17.0.1/", "http://198.20.0.1/", "http://126.0.0.1/",
    "http://128.0.0.1/", "http://169.253.1.1/", "http://169.255.1.1/", "http://223.255.255.254/",
    "http://168.63.129.17/", "http://[2606:4700:4700::1111]/", "http://[2606:4700:4700::1111]:8080/",
    "http://[2001:4860:4860::8888]/", "http://[2A00:1450:4001:81b::200e]/", "http://[::ffff:8.8.8.8]/",
    "http://[64:ff9b::8.8.8.8]/", "http://[2001:200::1]/", "http://[2003::1]/", "http://123.example.com/",
    "http://a.b.c.d.example.co.uk/", "http://under_score.example.com/", "http://local.example.com/",
    "http://internal.example.com/", "http://localhost.example.com/", "http://127.example.com/",
    "http://0x7f.example.com/",
]  # fmt: skip

# Those that a header can carry and that name a host of their own.
REDIRECTS_INSIDE = [
    url
    for url in DENIED
    if ":" in url.partition("/")[0] and not any(letter < " " or letter == "\x7f" for letter in url)
] + [
    "//127.0.0.1/",
    "//169.254.169.254/latest/",
    "//localhost/",
    "///127.0.0.1/",
    "/\\127.0.0.1/",
    "\\\\127.0.0.1\\",
]
