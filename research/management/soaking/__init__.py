"""The soak (`make soak`): a whole site works for hours; whether it stays as small, and as whole, as it was."""
