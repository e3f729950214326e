import { countChatsByDay, type DayCount, selectToolCallNames } from '../../../db/conversations/chat-lists.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput } from '../../lib/errors.js';
import { addDays, countDays, dayOf } from '../../lib/local-time.js';
import { type ChatQuery, visibleChats } from './list-chats.js';

const usualDays = 30;
const mostDays = 366;
/** No chat is older. The bound also keeps years at four digits, as the date format requires. */
const firstDay = '1970-01-01';

/** Counts the visible chats of each day from first to last, in the workspace's time zone; by default of 30 days. */
export async function countDailyChats(
  { db, clock, actor }: CommandContext,
  query: Pick<ChatQuery, 'channel' | 'isTest'>,
  range: { from?: string | undefined; to?: string | undefined },
): Promise<{ timezone: string; total: number; days: DayCount[] }> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const workspace = await db.identity.workspaces.findById(actor.workspaceId, tx);
    const timezone = workspace?.timezone ?? 'UTC';
    const today = dayOf(clock.now(), timezone);
    const to = range.to ?? (range.from !== undefined && range.from > today ? range.from : today);
    if (to < firstDay) throw InvalidInput.field('/to', `must not be before ${firstDay}`);
    const from = range.from ?? addDays(to, 1 - usualDays);
    const length = countDays(from, to);
    if (length < 1) throw InvalidInput.field('/to', 'must not be before from');
    if (length > mostDays) throw InvalidInput.field('/to', `must be within ${mostDays} days of from`);

    const counted = await countChatsByDay(tx, visibleChats(actor, query), { from, to, timezone });
    const counts = new Map(counted.map(({ date, count }) => [date, count]));
    const days = Array.from({ length }, (_, index) => {
      const date = addDays(from, index);
      return { date, count: counts.get(date) ?? 0 };
    });
    return { timezone, total: counted.reduce((sum, { count }) => sum + count, 0), days };
  });
}

/** Lists the distinct names of the tools that the agent called in chats that the actor may read. */
export async function listToolCallNames({ db, actor }: CommandContext): Promise<string[]> {
  return db.readInWorkspace(actor.workspaceId, (tx) => selectToolCallNames(tx, visibleChats(actor)));
}
