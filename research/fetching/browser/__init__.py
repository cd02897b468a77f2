"""Pages that need a browser: Chromium, shut in with one way out, which is guarded as all fetching is."""
