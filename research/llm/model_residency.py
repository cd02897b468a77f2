"""The check that a workspace's data stay in its region: no model elsewhere gets any of them."""

from functools import partial
from uuid import UUID

from research.llm.model_errors import ModelError, Trouble
from research.llm.model_process import ModelProcess
from research.llm.model_settings import Endpoint
from research.storage.data_residency import stays_within


async def keep_within(process: ModelProcess, endpoint: Endpoint, tenant_id: UUID | None) -> None:
    """Raise ModelError if the server is outside the workspace's region, before anything is reserved or sent.

    `tenant_id` None: the owner of the texts is unknown.
    """
    if not endpoint.regions:
        return
    if tenant_id is None or not await process.rows(partial(stays_within, tenant_id, endpoint.regions)):
        there = ", ".join(endpoint.regions)
        words = f"The data of this workspace stay in its region; the model’s server stands in {there}."
        raise ModelError(Trouble.WRONG_REGION, words)
