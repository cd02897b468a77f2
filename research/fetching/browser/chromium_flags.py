"""Chromium's command line: automation on, and everything off that makes it send requests of its own."""

PAGES_ONLY = "MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"  # the proxy resolves names, never the browser

_QUIET = """
    --disable-background-networking --disable-breakpad --disable-client-side-phishing-detection
    --disable-component-extensions-with-background-pages --disable-component-update --disable-crash-reporter
    --disable-default-apps --disable-domain-reliability --disable-extensions --disable-field-trial-config
    --disable-notifications --disable-quic --disable-search-engine-choice-screen --disable-speech-api --disable-sync
    --metrics-recording-only --no-default-browser-check --no-first-run --no-pings --no-service-autorun
    --force-webrtc-ip-handling-policy=disable_non_proxied_udp
""".split()
_PLAIN = """
    --disable-3d-apis --disable-auto-reload --disable-back-forward-cache --disable-background-timer-throttling
    --disable-backgrounding-occluded-windows --disable-dev-shm-usage --disable-gpu --disable-hang-monitor
    --disable-prompt-on-repost --disable-remote-fonts --disable-renderer-backgrounding --disable-software-rasterizer
    --hide-scrollbars --mute-audio --password-store=basic --blink-settings=imagesEnabled=false
    --renderer-process-limit=4
""".split()
_DRIVEN = ("--headless", "--remote-debugging-pipe", "--no-startup-window")
# Reports to sites, preloading of pages, name lookups of its own, updates, advertising APIs.
_WITHOUT = """
    Reporting NetworkErrorLogging DocumentReporting CrashReporting
    Prerender2 SpeculationRulesPrefetchFuture NetworkPrediction PreconnectToSearch LoadingPredictorUseOptimizationGuide
    AsyncDns DnsOverHttps DnsOverHttpsUpgrade
    CertificateTransparencyComponentUpdater OptimizationHints NetworkTimeServiceQuerying InterestFeedContentSuggestions
    AutofillServerCommunication Translate MediaRouter DialMediaRouteProvider LensOverlay AimEnabled
    PrivacySandboxAdsAPIs BrowsingTopics InterestGroupStorage Fledge AttributionReporting
    HttpsUpgrades HttpsFirstBalancedModeAutoEnable
    DestroyProfileOnBrowserClose PaintHolding AvoidUnnecessaryBeforeUnloadCheckSync AvoidCorsURLLoaderRestartOnRedirect
""".split()


def chromium_flags(proxy_port: int) -> list[str]:
    """Return Chromium's command line.

    It never has --no-sandbox: if the sandbox does not work, nothing is rendered.
    """
    return [
        *_DRIVEN,
        *_QUIET,
        *_PLAIN,
        f"--disable-features={','.join(_WITHOUT)}",
        f"--proxy-server=http://127.0.0.1:{proxy_port}",
        "--proxy-bypass-list=<-loopback>",
        f"--host-resolver-rules={PAGES_ONLY}",
    ]
