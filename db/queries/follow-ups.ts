import type { Tx } from '../database.js';
import { FollowUpModel, type FollowUpRow } from '../models/follow-up.js';
import { selectRows } from '../models/rows.js';

export type { FollowUpRow } from '../models/follow-up.js';

export async function insertFollowUp(
  tx: Tx,
  followUp: Pick<FollowUpRow, 'chatId' | 'instructions' | 'dueAt'>,
): Promise<FollowUpRow> {
  return FollowUpModel.query(tx)
    .insert({ ...followUp, workspaceId: tx.workspaceId })
    .returning('*');
}

/** Follow-ups still to come, soonest first. */
export async function listPendingFollowUps(tx: Tx, chatId: number): Promise<FollowUpRow[]> {
  return selectRows(
    FollowUpModel,
    tx,
    'chat_id = ? and fired_at is null and cancelled_at is null order by due_at, id',
    [chatId],
  );
}

export async function markFollowUpFired(tx: Tx, followUpId: number, at: Date): Promise<void> {
  await FollowUpModel.query(tx).findById(followUpId).patch({ firedAt: at });
}

export async function cancelFollowUps(tx: Tx, chatId: number, at: Date): Promise<void> {
  await FollowUpModel.query(tx)
    .where({ chat_id: chatId })
    .whereNull('fired_at')
    .whereNull('cancelled_at')
    .patch({ cancelledAt: at });
}
