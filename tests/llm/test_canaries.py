"""Twenty canaries in prompts, answers and errors of a model's server: none in a log, an exception or a row."""

import traceback

from research.db.tenancy import tenant_context
from research.llm.model_errors import ModelError
from research.models import ModelCall
from tests.fakes.openai_answers import answer, echoing_error, invalid_json, schema_violation, text
from tests.llm.asking import call, complete_one
from tests.secret_markers import CANARIES, everything_logged, found_in

WORDS = " ".join(CANARIES)
FAULTS = [
    answer({"text": WORDS, "year": 1918}),
    echoing_error(400),
    echoing_error(401),
    invalid_json(),
    schema_violation(),
    text(WORDS),
]


def test_none_of_twenty_canaries_leaves_its_prompt_whatever_the_server_answers(gateway, step, capfd):
    printed = ""
    with everything_logged() as lines:
        for number, fault in enumerate(FAULTS):
            gateway.default = fault
            try:
                complete_one(call(step, WORDS, purpose=f"draft{number}"))
            except ModelError as error:
                printed += "".join(traceback.format_exception(error)) + repr(error)
    assert found_in(lines.getvalue() + printed + "".join(capfd.readouterr())) == []
    with tenant_context(step.tenant_id):
        rows = list(ModelCall.objects.filter(run_id=step.run_id).values())
    assert len(rows) >= len(FAULTS)
    kept = b" ".join(
        bytes(v) if isinstance(v, bytes | memoryview) else str(v).encode()
        for row in rows
        for v in row.values()
    )
    assert found_in(kept.decode(errors="replace")) == []
