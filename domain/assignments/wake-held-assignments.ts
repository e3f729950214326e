import { pokeActiveRuns } from '../../db/assignments/awaiting-runs.js';
import { removeHeldAssignments, selectUnwokenDefinitions } from '../../db/assignments/held-assignments.js';
import { findWorkflowDefinition } from '../../db/definitions/workflow-definitions.js';
import { isDefinitionHeld } from '../../db/definitions/workflow-holds.js';
import { isWorkspaceHeld } from '../../db/definitions/workspace-holds.js';
import { countWaitingToWake, subjectsWaiting } from '../../db/outbox.js';
import type { ServiceContext } from '../kernel/context.js';
import { pokeWakingRun } from '../kernel/runs.js';
import type { WalkPage } from '../lib/paging.js';

interface DefinitionRef {
  workspaceId: number;
  definitionId: number;
}

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
  { workspaceId, definitionId }: DefinitionRef,
): Promise<{ woken: number; finished: boolean }> {
  return context.db.inWorkspace(workspaceId, async (tx) => {
    if (await isDefinitionHeld(tx, definitionId)) return { woken: 0, finished: true };
    if ((await countWaitingToWake(tx, batchSize)) >= batchSize) return { woken: 0, finished: false };
    const ids = await removeHeldAssignments(tx, definitionId, batchSize);
    await pokeActiveRuns(tx, ids);
    return { woken: ids.length, finished: ids.length < batchSize };
  });
}

/** A definition whose run `wakeAssignments` has assignments to wake. */
export interface Unwoken extends DefinitionRef {
  definitionUuid: string;
}

const pageSize = 200;

/** Returns the next page of such definitions, except those with an outbox entry that the relay has yet to deliver. */
export async function pageOfUnwoken(
  context: ServiceContext,
  workspaceId: number,
  afterId = 0,
): Promise<WalkPage<Unwoken, number>> {
  return context.db.readInWorkspace(workspaceId, async (tx) => {
    if (await isWorkspaceHeld(tx)) return { items: [], next: undefined };
    const definitions = await selectUnwokenDefinitions(tx, afterId, pageSize);
    const uuids = definitions.map(({ uuid }) => uuid);
    const waiting = await subjectsWaiting(tx, 'wakeAssignments', uuids);
    const items = definitions
      .filter(({ uuid }) => !waiting.has(uuid))
      .map(({ id, uuid }) => ({ workspaceId, definitionId: id, definitionUuid: uuid }));
    return { items, next: definitions.length < pageSize ? undefined : definitions.at(-1)?.id };
  });
}

/** Pokes the missing run of a definition. Harmless if it exists. */
export async function restartWaking(context: ServiceContext, unwoken: DefinitionRef): Promise<void> {
  await context.db.inWorkspace(unwoken.workspaceId, async (tx) => {
    const definition = await findWorkflowDefinition(tx, unwoken.definitionId);
    if (definition !== undefined) await pokeWakingRun(tx, definition);
  });
}
