import {
  countAnswersByDay,
  countFailuresByReason,
  type FailureCount,
  selectWaitFigures,
  type WaitFigures,
} from '../../../db/conversations/answer-figures.js';
import type { CommandContext } from '../../kernel/context.js';
import { type DayRange, daysOf, maxCountedDays } from '../../kernel/day-range.js';
import { type ChatQuery, visibleChats } from './list-chats.js';

interface Answers {
  /** Messages of the agent, and of colleagues. */
  answers: { agent: number; person: number };
  waits: Omit<WaitFigures, 'date'>;
}

export interface DailyAnswers extends Answers {
  timezone: string;
  days: (Answers & { date: string })[];
}

const noWaits = { waits: 0, answered: 0, median: null, p90: null, longest: null };

/** Tells who answered members on each day, and how long they waited for it. @throws Forbidden, InvalidInput */
export async function readDailyAnswers(
  context: CommandContext,
  query: Pick<ChatQuery, 'channel' | 'isTest'>,
  range: DayRange,
): Promise<DailyAnswers> {
  const { db, actor } = context;
  actor.require('chats:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const { timezone, ...days } = await daysOf(context, tx, range, maxCountedDays);
    const filter = visibleChats(actor, query);
    const [waits, answers] = await Promise.all([
      selectWaitFigures(tx, filter, days),
      countAnswersByDay(tx, filter, days),
    ]);
    const waitsOf = (wanted: string | null) => waits.find(({ date }) => date === wanted) ?? noWaits;
    const countOf = (by: string, wanted?: string) =>
      answers
        .filter(({ author, date }) => author === by && (wanted === undefined || date === wanted))
        .reduce((sum, { count }) => sum + count, 0);
    const answersOf = (date?: string) => ({ agent: countOf('agent', date), person: countOf('person', date) });
    return {
      timezone,
      answers: answersOf(),
      waits: waitsOf(null),
      days: days.dates.map((date) => ({ date, answers: answersOf(date), waits: waitsOf(date) })),
    };
  });
}

export interface FailedMessages {
  timezone: string;
  createdFrom: Date;
  createdBefore: Date;
  total: number;
  reasons: FailureCount[];
}

/** Counts the messages that did not arrive, by reason. @throws Forbidden, InvalidInput */
export async function countFailedMessages(context: CommandContext, range: DayRange): Promise<FailedMessages> {
  const { db, actor } = context;
  actor.require('chats:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const { timezone, begins, ends } = await daysOf(context, tx, range, maxCountedDays);
    const reasons = await countFailuresByReason(tx, { begins, ends });
    return {
      timezone,
      createdFrom: begins[0] as Date,
      createdBefore: ends,
      total: reasons.reduce((sum, { count }) => sum + count, 0),
      reasons,
    };
  });
}
