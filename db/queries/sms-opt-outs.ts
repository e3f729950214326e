import type { Tx } from '../database.js';
import { SmsOptOutModel } from '../models/sms-opt-out.js';

/** Opt-out is kept per member number and sender; only START lifts it. */
export async function hasOptedOut(tx: Tx, recipient: string, sender: string): Promise<boolean> {
  return (await SmsOptOutModel.query(tx).findOne({ recipient, sender })) !== undefined;
}

export async function insertOptOut(
  tx: Tx,
  optOut: Pick<SmsOptOutModel, 'recipient' | 'sender' | 'optedOutAt' | 'source'>,
): Promise<void> {
  await SmsOptOutModel.query(tx)
    .insert({ ...optOut, workspaceId: tx.workspaceId })
    .onConflict(['workspace_id', 'recipient', 'sender'])
    .ignore();
}

export async function deleteOptOut(tx: Tx, recipient: string, sender: string): Promise<void> {
  await SmsOptOutModel.query(tx).delete().where({ recipient, sender });
}
