import type { Tx } from '../tx.js';
import type { Labelled } from './labels.js';
import { type LabelChange, PendingLabelUpdateModel } from './models/pending-label-update.js';

export type { LabelChange } from './models/pending-label-update.js';

/** Undefined: nothing is left to be done. */
export async function findLabelChange(
  tx: Tx,
  kind: Labelled,
  labelId: number,
): Promise<LabelChange | undefined> {
  return PendingLabelUpdateModel.first(tx, 'kind = ? and label_id = ?', [kind, labelId]);
}

/** `findLabelChange`, until the end of the transaction: a further change of the label waits. */
export async function lockLabelChange(
  tx: Tx,
  kind: Labelled,
  labelId: number,
): Promise<LabelChange | undefined> {
  return PendingLabelUpdateModel.first(tx, 'kind = ? and label_id = ? for update', [kind, labelId]);
}

/** Notes up to which id they were visited. */
export async function patchLabelChange(tx: Tx, id: number, doneTo: number): Promise<void> {
  await PendingLabelUpdateModel.updateWhere(tx, { doneTo }, 'id = ?', [id]);
}

export async function removeLabelChange(tx: Tx, id: number): Promise<void> {
  await PendingLabelUpdateModel.deleteWhere(tx, 'id = ?', [id]);
}

/** Lists them in order of id. */
export async function selectLabelChanges(tx: Tx, afterId: number, limit: number): Promise<LabelChange[]> {
  return PendingLabelUpdateModel.where(tx, 'id > ? order by id limit ?', [afterId, limit]);
}
