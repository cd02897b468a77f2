"""Twenty canaries in prompts, answers and errors of a model's server: none in a log, an exception or a row."""

import traceback

from research.db.tenancy import tenant_context
from research.llm.model_errors import ModelError
from research.models import ModelCall
from tests.fakes.openai_answers import answer, echo_in_error, invalid_json, schema_violation, text
from tests.llm.asking import call, complete_one
from tests.secret_markers import CANARIES, capture_logs, find_markers

WORDS = " ".join(CANARIES)
FAULTS = [
    answer({"text": WORDS, "year": 1918}),
    echo_in_error(400),
    echo_in_error(401),
    invalid_json(),
    schema_violation(),
    text(WORDS),
]


def test_none_of_twenty_canaries_leaves_its_prompt_whatever_the_server_answers(gateway, step, capfd):
    printed = ""
    with capture_logs() as lines:
        for number, fault in enumerate(FAULTS):
            gateway.default = fault
            try:
                complete_one(call(step, WORDS, purpose=f"draft{number}"))
            except ModelError as error:
                printed += "".join(traceback.format_exception(error)) + repr(error)
    assert find_markers(lines.getvalue() + printed + "".join(capfd.readouterr())) == []
    with tenant_context(step.tenant_id):
        rows = list(ModelCall.objects.filter(run_id=step.run_id).values())
    assert len(rows) >= len(FAULTS)
    kept = b" ".join(
        bytes(v) if isinstance(v, bytes | memoryview) else str(v).encode()
        for row in rows
        for v in row.values()
    )
    assert find_markers(kept.decode(errors="replace")) == []
