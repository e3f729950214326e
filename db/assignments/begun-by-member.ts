import { ChatModel } from '../conversations/models/chat.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

/** What a member has begun for itself, up to `most`: assignments that are active, and those of one workflow. */
export async function countOpenStartedBy(
  tx: Tx,
  { memberId, definitionId, most }: { memberId: number; definitionId: number; most: number },
): Promise<{ open: number; ofWorkflow: number }> {
  const [row] = await prepared<{ open: number; ofWorkflow: number }>(
    tx,
    `select count(*)::int as open, count(*) filter (where definition_id = ?)::int as "ofWorkflow" from (
       select definition_id from assignments
       where member_id = ? and created_by_member_id = ? and status = 'active' limit ?) as begun`,
    [definitionId, memberId, memberId, most],
  );
  return row ?? { open: 0, ofWorkflow: 0 };
}

/** When the oldest was begun of the newest `most` chats that a member has begun since a time; undefined if there are fewer. */
export async function findOldestStarted(
  tx: Tx,
  { memberId, since, most }: { memberId: number; since: Date; most: number },
): Promise<Date | undefined> {
  const newest = 'created_by_member_id = ? order by id desc limit ?';
  const begun = await ChatModel.pick(tx, ['createdAt'], newest, [memberId, most]);
  const oldest = begun.length < most ? undefined : begun.at(-1)?.createdAt;
  return oldest !== undefined && oldest > since ? oldest : undefined;
}
