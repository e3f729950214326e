import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

/**
 * Whether a member is known by emails of its own alone: one of them has created it, and no person of the workspace has
 * written to it. An answer of an agent does not count, because every email gets one.
 */
export async function isUnknownSender(tx: Tx, memberId: number): Promise<boolean> {
  const [row] = await prepared<{ unknown: boolean }>(
    tx,
    `select exists (
       -- An email that creates its sender is stored at the same time, to the millisecond.
       select from members m join chats c on c.member_id = m.id join emails e on e.chat_id = c.id
       where m.id = ? and e.direction = 'in' and e.created_at = m.created_at
     ) and not exists (
       select from chats c join messages s on s.chat_id = c.id where c.member_id = ?
         and s.author = 'person' and s.role = 'assistant'
     ) as unknown`,
    [memberId, memberId],
  );
  return row?.unknown ?? false;
}
