import { prepared, statement } from '../statement.js';
import type { Tx } from '../tx.js';
import { ChatModel, type ChatRow } from './models/chat.js';
import { HandoffTellingModel, type HandoffTellingRow } from './models/handoff-telling.js';

/** How far the chats of a workspace that wait have been looked at. */
export interface HandoffTelling extends Omit<HandoffTellingRow, 'id' | 'workspaceId'> {
  emailsToldUntil: Date;
}

/**
 * Locks the row of the workspace. It is made if there is none: what waits already is no news. One that was removed while
 * this waited for it is made anew.
 */
export async function lockHandoffTelling(tx: Tx, until: Date): Promise<HandoffTelling> {
  const made = { lookedUntil: until, eventsUntil: until, emailsToldUntil: until };
  await HandoffTellingModel.insertOnce(tx, made, []);
  const row = await HandoffTellingModel.first(tx, 'workspace_id = ? for no key update', [tx.workspaceId]);
  if (row === undefined) return lockHandoffTelling(tx, until);
  return { ...row, emailsToldUntil: row.emailsToldUntil ?? until };
}

export async function saveHandoffTelling(tx: Tx, telling: HandoffTelling): Promise<void> {
  const { lookedUntil, toldAt, eventsUntil, eventsAfter, emailsToldUntil } = telling;
  const changes = { lookedUntil, toldAt, eventsUntil, eventsAfter, emailsToldUntil };
  await HandoffTellingModel.updateWhere(tx, changes, 'workspace_id = ?', [tx.workspaceId]);
}

/** Called when notices are switched off: chats that begin to wait meanwhile are no news when they are on again. */
export async function removeHandoffTelling(tx: Tx): Promise<void> {
  await HandoffTellingModel.deleteWhere(tx, 'workspace_id = ?', [tx.workspaceId]);
}

const waits = `needs_response and not archived and not muted and not is_test`;
const isOpen = `${waits} and needs_response_reason = any(?::text[])
  and not coalesce(claimed_until > ?, false) and not (snoozed_at is not null and coalesce(snoozed_until > ?, true))`;

/** Whether a chat has become open in a time: it began to wait, its claim or snooze ended, or it was news again. */
export async function hasOpened(
  tx: Tx,
  { from, until, reasons, now }: { from: Date; until: Date; reasons: readonly string[]; now: Date },
): Promise<boolean> {
  const open = [reasons, now, now];
  const [found] = await statement<{ opened: boolean }>(
    tx,
    `select exists (select from chats where ${isOpen} and needs_response_since > ? and needs_response_since <= ?)
       or exists (select from chats where ${isOpen} and claimed_until > ? and claimed_until <= ?)
       or exists (select from chats where ${isOpen} and snoozed_until > ? and snoozed_until <= ?)
       or exists (select from chats where ${isOpen} and reopened_at > ? and reopened_at <= ?) as opened`,
    [1, 2, 3, 4].flatMap(() => [...open, from, until]),
  );
  return found?.opened ?? false;
}

/** Counts the chats that are open, up to `most`, and says since when the first one waits. */
export async function countOpenChats(
  tx: Tx,
  { reasons, now, most }: { reasons: readonly string[]; now: Date; most: number },
): Promise<{ count: number; since: Date | null }> {
  const [counted] = await prepared<{ count: number; since: Date | null }>(
    tx,
    `select count(*)::int as count, min(needs_response_since) as since
     from (select needs_response_since from chats where ${isOpen} order by needs_response_since, id limit ?) open`,
    [reasons, now, now, most],
  );
  return counted ?? { count: 0, since: null };
}

/** When a chat last became news: it began to wait, or something that is no matter of the clock reopened it. */
export function newsSince(chat: Pick<ChatRow, 'needsResponseSince' | 'reopenedAt'>): Date {
  return new Date(Math.max(chat.needsResponseSince?.getTime() ?? 0, chat.reopenedAt?.getTime() ?? 0));
}

/** Lists chats that became news (`newsSince`) after a place and until a time, in this order. */
export async function selectChatsInTheNews(
  tx: Tx,
  {
    after,
    until,
    reasons,
    limit,
  }: {
    after: { since: Date; id: number };
    until: Date;
    reasons: readonly string[];
    limit: number;
  },
): Promise<ChatRow[]> {
  const bindings = [reasons, after.since, after.id, until, limit];
  return ChatModel.where(tx, isInTheNews, [...bindings, ...bindings, limit]);
}

/** Each half is read from an index of its own, and no further than the limit. */
const isInTheNews = `id in (
    select id from (
      (${newsBy('needs_response_since', 'reopened_at is null or reopened_at <= needs_response_since')})
      union all
      (${newsBy('reopened_at', 'reopened_at > needs_response_since')})
    ) news order by since, id limit ?
  ) order by greatest(needs_response_since, reopened_at), id`;

function newsBy(since: 'needs_response_since' | 'reopened_at', condition: string): string {
  return `select ${since} as since, id from chats
    where ${waits} and needs_response_reason = any(?::text[]) and (${condition})
      and (${since}, id) > (?, ?) and ${since} <= ? order by ${since}, id limit ?`;
}
