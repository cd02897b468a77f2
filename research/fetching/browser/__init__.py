"""Pages that need a browser: a sandboxed Chromium whose only network access is a guarded proxy."""
