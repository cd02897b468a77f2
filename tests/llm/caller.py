"""A process that executes a step, again and again, each time in a child that may be killed.

    python -m tests.llm.caller BASE_URL TENANT RUN STEP KEY CALLS

Reads a fence from each line, forks a child that makes the calls as the step's execution with that fence, and
writes the child's pid; the line "wait" waits for the last child and writes its exit status.
"""

import os
import sys
from uuid import UUID


def main() -> None:
    import django

    django.setup()
    from django.conf import settings

    from tests.llm.asking import KEY
    from tests.llm.conftest import CallingStep

    url, tenant, run, step, key, calls = sys.argv[1:]
    settings.PLUMBLINE_MODEL_BASE_URL, settings.PLUMBLINE_MODEL_API_KEY = url, KEY
    settings.PLUMBLINE_MODEL_CALLS_A_MINUTE = 1_000_000
    pid = 0
    for line in sys.stdin:
        if line.strip() == "wait":
            print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
            continue
        executed = CallingStep(UUID(tenant), UUID(run), UUID(step), key, int(line))
        pid = os.fork()
        if pid == 0:
            execute(executed, int(calls))
            os._exit(0)
        print(pid, flush=True)


def execute(step, calls: int) -> None:
    from research.llm.model_errors import ModelError
    from tests.llm.asking import call, complete_all

    done = complete_all(
        *(call(step, words(n), purpose=f"call.{n}", max_output_tokens=20) for n in range(calls))
    )
    failures = [one for one in done if isinstance(one, ModelError)]
    if failures:
        print(failures[0].message, file=sys.stderr)
        os._exit(1)


def words(n: int) -> str:
    return f"In the year {1000 + n} a bridge was built over the river."


if __name__ == "__main__":
    main()
