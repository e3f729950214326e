import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import type { Labelled } from './labels.js';

/** A label that was deleted or whose slug has changed, and up to which id those that have it were visited. */
export interface LabelChange {
  id: number;
  kind: Labelled;
  labelId: number;
  labelUuid: string;
  deleted: boolean;
  doneTo: number;
}

const columns = `id, kind, label_id as "labelId", label_uuid as "labelUuid", deleted, done_to as "doneTo"`;

/** Undefined: nothing is left to be done. */
export async function findLabelChange(
  tx: Tx,
  kind: Labelled,
  labelId: number,
): Promise<LabelChange | undefined> {
  const text = `select ${columns} from label_changes where kind = ? and label_id = ?`;
  const [found] = await prepared<LabelChange>(tx, text, [kind, labelId]);
  return found;
}

/** `findLabelChange`, until the end of the transaction: a further change of the label waits. */
export async function lockLabelChange(
  tx: Tx,
  kind: Labelled,
  labelId: number,
): Promise<LabelChange | undefined> {
  const text = `select ${columns} from label_changes where kind = ? and label_id = ? for update`;
  const [found] = await prepared<LabelChange>(tx, text, [kind, labelId]);
  return found;
}

/** Notes up to which id they were visited. */
export async function patchLabelChange(tx: Tx, id: number, doneTo: number): Promise<void> {
  await prepared(tx, 'update label_changes set done_to = ? where id = ?', [doneTo, id]);
}

export async function removeLabelChange(tx: Tx, id: number): Promise<void> {
  await prepared(tx, 'delete from label_changes where id = ?', [id]);
}

/** Lists them in order of id. */
export async function selectLabelChanges(tx: Tx, afterId: number, limit: number): Promise<LabelChange[]> {
  return prepared(tx, `select ${columns} from label_changes where id > ? order by id limit ?`, [
    afterId,
    limit,
  ]);
}
