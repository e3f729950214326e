import {
  lockLabelChange,
  patchLabelChange,
  removeLabelChange,
  selectLabelChanges,
} from '../../db/lib/label-changes.js';
import { removeLinks, selectLabelled } from '../../db/lib/labels.js';
import { countWaitingToWake } from '../../db/outbox.js';
import type { ServiceContext } from './context.js';
import type { LabelKind } from './labels.js';
import { rowsOfRun } from './reconcile-rows.js';
import { pokeLabelRun } from './runs.js';

/**
 * How many that have the label are visited in one transaction, and how many entries of the workspace that wake a
 * crowd may wait for the relay before more are added.
 */
const batchSize = 100;

/** How many that have the label were visited, and how many runs that wait for a change of them were poked. */
export interface AppliedBatch {
  visited: number;
  woken: number;
  finished: boolean;
}

/**
 * Visits the next that have a label which was deleted, or whose slug has changed: takes a deleted one from them,
 * and pokes the runs that wait for a change of them. The same transaction notes how far it is, so that it can be
 * repeated at any point.
 */
export async function applyLabelChange(
  { db }: ServiceContext,
  { table, wakeLabelled }: LabelKind,
  { workspaceId, labelId }: { workspaceId: number; labelId: number },
): Promise<AppliedBatch> {
  return db.inWorkspace(workspaceId, async (tx) => {
    const change = await lockLabelChange(tx, table.noun, labelId);
    if (change === undefined) return { visited: 0, woken: 0, finished: true };
    const isBusy = wakeLabelled !== undefined && (await countWaitingToWake(tx, batchSize)) >= batchSize;
    if (isBusy) return { visited: 0, woken: 0, finished: false };
    const ids = await selectLabelled(tx, table, labelId, change.doneTo, batchSize);
    if (change.deleted) await removeLinks(tx, table, labelId, ids);
    const woken = (await wakeLabelled?.(tx, ids)) ?? 0;
    const last = ids.length < batchSize ? undefined : ids.at(-1);
    if (last === undefined) await removeLabelChange(tx, change.id);
    else await patchLabelChange(tx, change.id, last);
    return { visited: ids.length, woken, finished: last === undefined };
  });
}

/** Labels whose change is not yet carried out for all that have them. */
export const unappliedLabelChanges = rowsOfRun({
  name: 'label_changes',
  runType: 'applyLabelChange',
  async select(tx, { after, limit }) {
    const changes = await selectLabelChanges(tx, after, limit);
    return changes.map((change) => ({ ...change, uuid: change.labelUuid }));
  },
  more: ({ kind, labelId, labelUuid }) => ({ kind, labelId, labelUuid }),
  restart: pokeLabelRun,
});
