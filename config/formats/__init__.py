"""How dates and times are written, where a language's own custom would be read two ways."""
