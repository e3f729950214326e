import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
import type { Tx } from '../tx.js';
import { FollowUpModel, type FollowUpRow } from './models/follow-up.js';

export type { FollowUpRow } from './models/follow-up.js';

export type FollowUpStatus = 'pending' | 'fired' | 'cancelled';
export type FollowUpSort = 'dueAt' | 'createdAt';

const sortColumns = { dueAt: 'due_at', createdAt: 'created_at' } as const;

const conditions: Record<FollowUpStatus, string> = {
  pending: 'fired_at is null and cancelled_at is null',
  fired: 'fired_at is not null',
  cancelled: 'cancelled_at is not null',
};

export async function insertFollowUp(
  tx: Tx,
  followUp: Pick<FollowUpRow, 'chatId' | 'instructions' | 'dueAt' | 'scheduledByMemberId'>,
): Promise<FollowUpRow> {
  return FollowUpModel.insert(tx, followUp);
}

export async function selectFollowUps(
  tx: Tx,
  chatId: number,
  statuses: readonly FollowUpStatus[],
  page: PageRequest<FollowUpSort>,
): Promise<PageOf<FollowUpRow>> {
  const query = FollowUpModel.query(tx)
    .where({ chat_id: chatId })
    .whereRaw(`(${statuses.map((status) => conditions[status]).join(' or ')})`);
  const found = await readPage(query, page, sortColumns[page.sortBy], 'id');
  return { ...found, items: found.items.map(toRow) };
}

export async function findFollowUp(tx: Tx, chatId: number, id: number): Promise<FollowUpRow | undefined> {
  return FollowUpModel.first(tx, 'id = ? and chat_id = ?', [id, chatId]);
}

export async function selectPendingFollowUps(tx: Tx, chatId: number): Promise<FollowUpRow[]> {
  return FollowUpModel.where(tx, `chat_id = ? and ${conditions.pending} order by due_at, id`, [chatId]);
}

export async function markFollowUpFired(tx: Tx, followUpId: number, at: Date): Promise<void> {
  await FollowUpModel.updateWhere(tx, { firedAt: at }, 'id = ?', [followUpId]);
}

export async function markFollowUpCancelled(
  tx: Tx,
  followUpId: number,
  { at, byMemberId }: { at: Date; byMemberId: number },
): Promise<void> {
  const changes = { cancelledAt: at, cancelledByMemberId: byMemberId };
  await FollowUpModel.updateWhere(tx, changes, 'id = ?', [followUpId]);
}

/** Cancels the pending follow-ups of a chat because of something that happened in it. */
export async function cancelFollowUps(tx: Tx, chatId: number, at: Date): Promise<void> {
  await FollowUpModel.updateWhere(tx, { cancelledAt: at }, `chat_id = ? and ${conditions.pending}`, [chatId]);
}
