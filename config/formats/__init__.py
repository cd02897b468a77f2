"""Date and time formats for languages whose own formats would be ambiguous."""
