"""What must hold after every run, whatever was killed on the way (spec: durability.md, Invariants). 0 rows
each.
"""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from django.db import connection

from research.models import Run
from research.tenancy import tenant_context

QUERIES: Mapping[str, str] = {
    "the run has not ended": """
        SELECT state FROM research_run WHERE id = %(run)s AND state NOT IN ('completed', 'failed', 'cancelled')""",
    "a step is unfinished though its run has ended": """
        SELECT key, status FROM research_step
        WHERE run_id = %(run)s AND status IN ('pending', 'running', 'retrying')""",
    "a key twice": """
        SELECT key FROM research_step WHERE run_id = %(run)s GROUP BY key HAVING count(*) > 1""",
    "pending_children is not the number of unfinished children": """
        SELECT parent.key, parent.pending_children, count(child.id)
        FROM research_step parent LEFT JOIN research_step child
            ON child.parent_id = parent.id AND child.status IN ('pending', 'running', 'retrying')
        WHERE parent.run_id = %(run)s
        GROUP BY parent.id HAVING parent.pending_children <> count(child.id)""",
    "a step waited for children and never ran": """
        SELECT key FROM research_step
        WHERE run_id = %(run)s AND status = 'skipped' AND handler = 'toy.sum'""",
    "a source twice": """
        SELECT canonical_url FROM research_source
        WHERE run_id = %(run)s GROUP BY canonical_url HAVING count(*) > 1""",
    "a source of a completed run that was not read": """
        SELECT s.canonical_url FROM research_source s JOIN research_run r ON r.id = s.run_id
        WHERE r.id = %(run)s AND r.state = 'completed' AND s.status <> 'processed'""",
    "step_count is not the number of steps": """
        SELECT r.step_count, count(s.id) FROM research_run r JOIN research_step s ON s.run_id = r.id
        WHERE r.id = %(run)s GROUP BY r.id HAVING r.step_count <> count(s.id)""",
    "a step was done by more than one fence": """
        SELECT key FROM research_step WHERE run_id = %(run)s AND status = 'completed' AND fence < attempt""",
}


def broken(run: Run) -> dict[str, list[tuple[object, ...]]]:
    """The invariants that do not hold, with the rows that say so."""
    found: dict[str, list[tuple[object, ...]]] = {}
    with tenant_context(run.tenant_id), connection.cursor() as cursor:
        for name, query in QUERIES.items():
            cursor.execute(query, {"run": run.pk})
            if rows := cursor.fetchall():
                found[name] = rows
    return found


def executions(log: Path, run: Run) -> dict[str, list[tuple[float, int]]]:
    """From the log that is never killed: key → (time, fence) of each execution of a step of the run."""
    found = defaultdict(list)
    for line in log.read_text(encoding="utf-8").splitlines():
        moment, run_id, key, fence = line.split()
        if run_id == str(run.pk):
            found[key].append((float(moment), int(fence)))
    return found


def repeated_after_completion(log: Path, run: Run) -> list[str]:
    """Steps that began again after their result was stored."""
    with tenant_context(run.tenant_id), connection.cursor() as cursor:
        cursor.execute(
            "SELECT key, extract(epoch FROM completed_at) FROM research_step"
            " WHERE run_id = %s AND status = 'completed'",
            [run.pk],
        )
        completed = {key: float(moment) for key, moment in cursor.fetchall()}
    done = executions(log, run)
    return [key for key, moment in completed.items() if any(began > moment for began, _f in done[key])]


def wasted(log: Path, run: Run) -> int:
    """Executions whose result was never stored."""
    return sum(len(times) - 1 for times in executions(log, run).values())


def recovery_s(runs: list[Run], killed_at: list[float]) -> list[float]:
    """For each kill, seconds until the next step of any run was finished."""
    with tenant_context(runs[0].tenant_id), connection.cursor() as cursor:
        cursor.execute(
            "SELECT extract(epoch FROM completed_at) FROM research_step WHERE completed_at IS NOT NULL"
        )
        moments = sorted(float(row[0]) for row in cursor.fetchall())
    found = [next((moment - kill for moment in moments if moment > kill), None) for kill in killed_at]
    return sorted(round(one, 2) for one in found if one is not None)
