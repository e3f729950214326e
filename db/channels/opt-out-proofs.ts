import type { RowOf } from '../lib/table-model.js';
import type { Tx } from '../tx.js';
import { OptOutProofModel } from './models/opt-out-proof.js';
import type { OptOutSubject } from './opt-out-locks.js';
import { digestOf } from './recipient-digest.js';

export { optOutChannels, optOutSources } from './models/opt-out-proof.js';
export type OptOutChannel = OptOutProofModel['channel'];
export type OptOutSource = OptOutProofModel['source'];
export type OptOutProof = Omit<RowOf<OptOutProofModel>, 'id' | 'workspaceId'>;

export async function insertOptOutProof(tx: Tx, proof: Omit<OptOutProof, 'liftedAt'>): Promise<void> {
  await OptOutProofModel.insert(tx, proof);
}

const ofEither = `(member_id = ?::bigint or recipient = any(array[?::text, ?::text]))`;

function bindingsOf(tx: Tx, { memberId, recipient }: OptOutSubject): unknown[] {
  return [memberId, recipient, recipient === null ? null : digestOf(tx, recipient)];
}

/** Notes that what was opted out of is wanted again. */
export async function liftOptOutProofs(
  tx: Tx,
  channel: OptOutChannel,
  whose: OptOutSubject,
  liftedAt: Date,
): Promise<void> {
  const inForce = `channel = ? and lifted_at is null and ${ofEither}`;
  await OptOutProofModel.updateWhere(tx, { liftedAt }, inForce, [channel, ...bindingsOf(tx, whose)]);
}

/** Whether the member, or who had the number, does not want to be called. */
export async function hasOptedOutOfCalls(tx: Tx, whose: OptOutSubject): Promise<boolean> {
  const inForce = `channel = 'calls' and lifted_at is null and ${ofEither}`;
  return OptOutProofModel.exists(tx, inForce, bindingsOf(tx, whose));
}

/** The newest first. */
export async function selectOptOutProofs(tx: Tx, memberId: number, limit: number): Promise<OptOutProof[]> {
  return OptOutProofModel.where(tx, 'member_id = ? order by id desc limit ?', [memberId, limit]);
}
