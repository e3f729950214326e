import { countChatsByDay, type DayCount } from '../../../db/conversations/chat-lists.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput } from '../../lib/errors.js';
import { addDays, countDays, dayOf } from '../../lib/local-time.js';
import { type ChatQuery, visibleChats } from './visible-chats.js';

export interface DailyChats {
  timezone: string;
  total: number;
  /** Every day of the range, in order. */
  days: DayCount[];
}

const usualDays = 30;
const mostDays = 366;
/** No chat is older. The bound also keeps years at four digits, as the date format requires. */
const firstDay = '1970-01-01';

/**
 * Counts the chats created on each day, by the workspace's time zone: all chats, or only the caller's own without
 * `chats:read`.
 *
 * @param range first and last day (`YYYY-MM-DD`); default: the last 30 days, today included
 * @throws InvalidInput if the range is reversed, longer than 366 days or ends before 1970
 */
export async function countDailyChats(
  { db, clock, actor }: CommandContext,
  query: Pick<ChatQuery, 'channel' | 'isTest'>,
  range: { from?: string | undefined; to?: string | undefined },
): Promise<DailyChats> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const workspace = await db.identity.workspaces.findById(actor.workspaceId, tx);
    const timezone = workspace?.timezone ?? 'UTC';
    const to = range.to ?? lastDay(range.from, dayOf(clock.now(), timezone));
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

/** The default last day of the range: today, or `from` if that is in the future. */
function lastDay(from: string | undefined, today: string): string {
  return from !== undefined && from > today ? from : today;
}
