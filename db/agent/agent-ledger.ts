import { FollowUpModel } from '../conversations/models/follow-up.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { TokenUsageDayModel } from './models/usage-day.js';

/** The agent's turns and usage in one chat. */
export interface ChatLedger {
  turnsInHour: number;
  turnsToday: number;
  tokensToday: number;
  creditsToday: number;
  /** Turns since a person last wrote. */
  unattendedTurns: number;
}

/** Reads the ledger of a chat. A turn counts from the first answer of its model, and not before `turnsFrom`. */
export async function readChatLedger(
  tx: Tx,
  chatId: number,
  times: Record<'hourFrom' | 'dayFrom' | 'turnsFrom' | 'attendedAt', Date>,
): Promise<ChatLedger> {
  const { hourFrom, dayFrom, turnsFrom, attendedAt } = times;
  const from = Math.min(hourFrom.getTime(), dayFrom.getTime(), attendedAt.getTime());
  const [ledger] = await prepared<ChatLedger>(
    tx,
    `select
       count(distinct turn_uuid) filter (where created_at > ? and created_at > ?) as "turnsInHour",
       count(distinct turn_uuid) filter (where created_at >= ? and created_at > ?) as "turnsToday",
       coalesce(sum(total_tokens) filter (where created_at >= ?), 0)::bigint as "tokensToday",
       coalesce(sum(credits) filter (where created_at >= ?), 0) as "creditsToday",
       count(distinct turn_uuid) filter (where created_at > ?) as "unattendedTurns"
     from token_usage where chat_id = ? and created_at >= ?`,
    [hourFrom, turnsFrom, dayFrom, turnsFrom, dayFrom, dayFrom, attendedAt, chatId, new Date(from)],
  );
  if (ledger === undefined) throw new Error('an aggregate has no row');
  return ledger;
}

/** Reads the usage of all agents of the workspace on a day (UTC). */
export async function readWorkspaceDay(tx: Tx, day: string): Promise<{ tokens: number; credits: number }> {
  const row = await TokenUsageDayModel.first(tx, 'day = ?', [day]);
  return { tokens: row?.totalTokens ?? 0, credits: row?.credits ?? 0 };
}

/** The day is in UTC. */
export async function addToWorkspaceDay(
  tx: Tx,
  day: string,
  used: { tokens: number; credits: number },
): Promise<void> {
  await prepared(
    tx,
    `insert into token_usage_days (workspace_id, day, total_tokens, credits) values (?, ?, ?, ?)
     on conflict (workspace_id, day) do update set
       total_tokens = token_usage_days.total_tokens + excluded.total_tokens,
       credits = token_usage_days.credits + excluded.credits`,
    [tx.workspaceId, day, used.tokens, used.credits],
  );
}

/** Counts the follow-ups of a chat that fired after a time. */
export async function countFiredFollowUps(tx: Tx, chatId: number, since: Date): Promise<number> {
  return FollowUpModel.count(tx, 'chat_id = ? and fired_at > ?', [chatId, since]);
}
