import {
  type ChannelDayCount,
  countChatsByDay,
  selectToolCallNames,
} from '../../../db/conversations/chat-lists.js';
import type { Channel } from '../../../db/conversations/chats.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput } from '../../lib/errors.js';
import { addDays, beginOf, countDays, dayOf } from '../../lib/local-time.js';
import { isTimezone } from '../../lib/locales.js';
import { type ChatQuery, visibleChats } from './list-chats.js';

const defaultDays = 30;
const maxDays = 366;
/** No chat is older. The bound also keeps years at four digits, as the date format requires. */
const firstDay = '1970-01-01';

type ChannelCounts = Record<Channel, number>;

export interface DailyChats {
  timezone: string;
  total: number;
  byChannel: ChannelCounts;
  days: { date: string; count: number; byChannel: ChannelCounts }[];
}

/**
 * Counts the visible chats of each day from first to last, by channel; by default of 30 days, in the workspace's time
 * zone. A day is as long as it is there: 23 or 25 hours where the clocks change. @throws InvalidInput
 */
export async function countDailyChats(
  { db, clock, actor }: CommandContext,
  query: Pick<ChatQuery, 'channel' | 'isTest'>,
  range: { from?: string | undefined; to?: string | undefined; timezone?: string | undefined },
): Promise<DailyChats> {
  if (range.timezone !== undefined && !isTimezone(range.timezone)) {
    throw InvalidInput.field('/timezone', 'must be a time zone such as Europe/Paris');
  }
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const workspace = await db.identity.workspaces.findById(actor.workspaceId, tx);
    const timezone = range.timezone ?? workspace?.timezone ?? 'UTC';
    const today = dayOf(clock.now(), timezone);
    const to = range.to ?? (range.from !== undefined && range.from > today ? range.from : today);
    if (to < firstDay) throw InvalidInput.field('/to', `must not be before ${firstDay}`);
    const from = range.from ?? addDays(to, 1 - defaultDays);
    const length = countDays(from, to);
    if (length < 1) throw InvalidInput.field('/to', 'must not be before from');
    if (length > maxDays) throw InvalidInput.field('/to', `must be within ${maxDays} days of from`);

    const dates = Array.from({ length }, (_, index) => addDays(from, index));
    const begins = dates.map((date) => beginOf(date, timezone));
    const ends = beginOf(to, timezone, 1);
    const counted = await countChatsByDay(tx, visibleChats(actor, query), { dates, begins, ends });
    const days = dates.map((date) => ({
      date,
      ...countsOf(counted.filter((one) => one.date === date)),
    }));
    const { count: total, byChannel } = countsOf(counted);
    return { timezone, total, byChannel, days };
  });
}

function countsOf(counted: readonly ChannelDayCount[]): { count: number; byChannel: ChannelCounts } {
  const byChannel: ChannelCounts = { 'web-chat': 0, 'phone-sms': 0, 'phone-voice': 0, email: 0 };
  for (const { channel, count } of counted) byChannel[channel] += count;
  return { count: counted.reduce((sum, { count }) => sum + count, 0), byChannel };
}

/** Lists the distinct names of the tools that the agent called in chats that the actor may read. */
export async function listToolCallNames({ db, actor }: CommandContext): Promise<string[]> {
  return db.readInWorkspace(actor.workspaceId, (tx) => selectToolCallNames(tx, visibleChats(actor)));
}
