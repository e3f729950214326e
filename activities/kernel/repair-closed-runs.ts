import { activeAssignments, listActiveRunsOf } from '../../domain/assignments/reconcile-runs.js';
import {
  type Candidate,
  candidateOf,
  type Found,
  type RepairContext,
  type RepairRuns,
  recordFailure,
} from './repair-runs.js';

const closedAtOnce = 100;
/** Temporal's visibility index lags, so runs that closed shortly before the last look are checked again. */
const visibilityLagMs = 10 * 60_000;

/**
 * Looks at the runs of assignments that closed abnormally since the last look, wherever the walks are. Those for which there is no
 * time are left to the walk through all assignments. @returns the workflow ids of those that were looked at
 */
export async function repairClosedRuns(
  context: RepairContext,
  found: Found,
  { repair, isTimeUp }: { repair: RepairRuns; isTimeUp(): boolean },
): Promise<Set<string>> {
  const { workspaces, walks } = context.db.identity;
  const seen = new Set<string>();
  const now = new Date();
  const last = (await walks.lookedUntil('closed_runs')) ?? now;
  try {
    const closed = await context.runs.listClosedAssignments(new Date(last.getTime() - visibilityLagMs));
    const candidates: Candidate[] = [];
    for (const [workspaceUuid, assignmentUuids] of closed) {
      const workspace = await workspaces.findByUuid(workspaceUuid);
      if (workspace === undefined) continue;
      const active = await listActiveRunsOf(context, workspace.id, assignmentUuids);
      candidates.push(...active.map((row) => candidateOf(context, activeAssignments, row)));
    }
    while (candidates.length > 0) {
      const some = candidates.splice(0, closedAtOnce);
      for (const { workflowId } of some) seen.add(workflowId);
      await repair(some, found);
      if (candidates.length > 0 && isTimeUp()) {
        await walks.saveLookedUntil('reconcile_assignments', new Date(0));
        break;
      }
    }
    await walks.saveLookedUntil('closed_runs', now);
  } catch (error) {
    recordFailure(context.logger, found, { list: 'closed_runs' }, error);
  }
  return seen;
}
