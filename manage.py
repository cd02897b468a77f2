#!/usr/bin/env python
"""Command line entry."""

import os
import signal
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        _execute()
    except BrokenPipeError:  # who read it has enough, as `head` has
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(128 + signal.SIGPIPE)
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)


def _execute() -> None:
    try:
        if sys.argv[1:2] == ["up"]:
            # It only watches processes: Django's models would take 80 MB for nothing.
            from research.management.commands.up import Command

            Command().run_from_argv(sys.argv)
        else:
            execute_from_command_line(sys.argv)
    finally:
        sys.stdout.flush()


if __name__ == "__main__":
    main()
