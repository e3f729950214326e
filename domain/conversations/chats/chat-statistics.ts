import {
  type ChannelDayCount,
  countChatsByDay,
  selectToolCallNames,
} from '../../../db/conversations/chat-lists.js';
import type { Channel } from '../../../db/conversations/chats.js';
import type { CommandContext } from '../../kernel/context.js';
import { type DayRange, daysOf } from '../../kernel/day-range.js';
import { type ChatQuery, visibleChats } from './list-chats.js';

const maxDays = 366;

type ChannelCounts = Record<Channel, number>;

export interface DailyChats {
  timezone: string;
  total: number;
  byChannel: ChannelCounts;
  days: { date: string; count: number; byChannel: ChannelCounts }[];
}

/** Counts the visible chats of each day from first to last, by channel. @throws InvalidInput */
export async function countDailyChats(
  context: CommandContext,
  query: Pick<ChatQuery, 'channel' | 'isTest'>,
  range: DayRange,
): Promise<DailyChats> {
  const { db, actor } = context;
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const { timezone, ...wanted } = await daysOf(context, tx, range, maxDays);
    const counted = await countChatsByDay(tx, visibleChats(actor, query), wanted);
    const days = wanted.dates.map((date) => ({
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
