import { pokeActiveRuns } from '../../db/assignments/awaiting-runs.js';
import { removeHeldAssignments, selectUnwokenDefinitions } from '../../db/assignments/held-assignments.js';
import { isDefinitionHeld } from '../../db/definitions/effective-hold.js';
import { findWorkflowDefinition } from '../../db/definitions/workflow-definitions.js';
import { countWaitingToWake } from '../../db/outbox.js';
import type { ServiceContext } from '../kernel/context.js';
import { rowsOfRun } from '../kernel/reconcile-rows.js';
import { pokeWakingRun } from '../kernel/runs.js';

/**
 * How many runs are poked in one transaction, and how many such entries of a workspace may wait for the relay before more
 * are added.
 */
const batchSize = 100;

/**
 * Pokes the next runs that have met the hold of a definition, unless it is held again, or the relay is busy with
 * earlier ones. Their notes are removed in the same transaction, so that it can be repeated at any point.
 * `finished`: none is left to be poked.
 */
export async function wakeHeldAssignments(
  context: ServiceContext,
  { workspaceId, definitionId }: { workspaceId: number; definitionId: number },
): Promise<{ woken: number; finished: boolean }> {
  return context.db.inWorkspace(workspaceId, async (tx) => {
    if (await isDefinitionHeld(tx, definitionId)) return { woken: 0, finished: true };
    if ((await countWaitingToWake(tx, batchSize)) >= batchSize) return { woken: 0, finished: false };
    const ids = await removeHeldAssignments(tx, definitionId, batchSize);
    await pokeActiveRuns(tx, ids);
    return { woken: ids.length, finished: ids.length < batchSize };
  });
}

/** Definitions that have assignments to wake. */
export const unwokenDefinitions = rowsOfRun({
  name: 'unwoken',
  runType: 'wakeAssignments',
  restsInHold: true,
  select: (tx, { after, limit }) => selectUnwokenDefinitions(tx, after, limit),
  async restart(tx, { id }) {
    const definition = await findWorkflowDefinition(tx, id);
    if (definition !== undefined) await pokeWakingRun(tx, definition);
  },
});
