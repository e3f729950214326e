import type { Tx } from '../tx.js';
import { OpenModelCallModel, type OpenModelCallRow } from './models/open-model-call.js';

export type { OpenModelCallRow } from './models/open-model-call.js';

export async function insertOpenCall(
  tx: Tx,
  call: Omit<OpenModelCallRow, 'id' | 'workspaceId'>,
): Promise<void> {
  await OpenModelCallModel.insert(tx, call);
}

/** Deletes the row of a call, once. @returns undefined if it was deleted before */
export async function removeOpenCall(tx: Tx, callId: string): Promise<OpenModelCallRow | undefined> {
  const [row] = await OpenModelCallModel.deleteReturning(tx, 'call_id = ?', [callId]);
  return row;
}

export async function selectCallsBegunBefore(
  tx: Tx,
  before: Date,
  limit: number,
): Promise<OpenModelCallRow[]> {
  return OpenModelCallModel.where(tx, 'begun_at < ? order by begun_at limit ?', [before, limit]);
}
