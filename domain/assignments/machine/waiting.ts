import { patchAssignmentTask, type WaitEnd } from '../../../db/assignments/assignment-tasks.js';
import { hasUserMessageAfter } from '../../../db/conversations/messages.js';
import type { AwaitedEvent } from '../../definitions/task-tree/awaited-events.js';
import type { TaskNode } from '../../definitions/task-tree/types.js';
import { alertColleague, type NeedsResponseReason } from '../../kernel/alert-colleague.js';
import { timezoneOfMember } from '../../kernel/timezone-of-member.js';
import { evaluateCondition, isOverBudget } from '../../lib/cel.js';
import { addDuration, latestMoment } from '../../lib/duration.js';
import { readMoment } from '../../lib/local-time.js';
import { renderTemplate } from '../../lib/template.js';
import { note, ofTask } from '../timeline/note.js';
import { celContextOf } from './cel-context.js';
import type { Effect, Entry } from './effect.js';
import { readEventMark } from './event-mark.js';
import { clearStandingAlert } from './leave-task.js';
import { changeChat, type Machine, rowOf } from './machine.js';

/** The configuration of a wait: exactly one of `for`, `until`, `condition` and `event`. */
export interface WaitConfiguration {
  for?: string;
  until?: string;
  condition?: string;
  event?: AwaitedEvent;
  /** The time limit of a condition or an event; a collect has one as well. */
  atMost?: string;
  unlessReply?: boolean;
}

/** Transactions that were in progress when the wait was entered have ended by then, so that it sees what they wrote. */
const firstCheckMs = 60_000;
/** A wake-up that was lost delays a wait by a day at most. */
const checkEveryMs = 86_400_000;

/** Begins to wait. The task is complete if the wait is over at once. */
export async function startWaiting(machine: Machine, task: TaskNode): Promise<Entry> {
  const { condition, event } = task.configuration as WaitConfiguration;
  const until = await dueTime(machine, task);
  if (until !== null && !(until instanceof Date)) {
    return { effects: [standing(until)], isComplete: false };
  }
  const eventMark = event === undefined ? null : await readEventMark(machine, event, machine.now);
  const held = condition === undefined ? false : await evaluate(machine, condition);
  const isOver = held === true || (until !== null && until <= machine.now);
  const endedBy = endOf(task, held === true ? 'condition' : 'time');
  return {
    effects: [
      { kind: 'wait', until, eventMark, ...(isOver ? { endedBy } : {}) },
      ...(held === 'over_budget' ? [standing('expression_failed')] : []),
    ],
    isComplete: isOver,
  };
}

function standing(reason: NeedsResponseReason): Effect {
  return { kind: 'alert', reason, changes: { standingReason: reason } };
}

/** The time limit of a collect, if it has one. */
export async function limitTime(machine: Machine, task: TaskNode): Promise<Effect[]> {
  const until = await dueTime(machine, task);
  return until instanceof Date ? [{ kind: 'wait', until }] : [];
}

/** Whether the time limit of a collect has come, which is then stored. */
export async function isTimeOver(machine: Machine, task: TaskNode): Promise<boolean> {
  const { dueAt } = rowOf(machine, task);
  return dueAt !== null && dueAt <= machine.now && (await end(machine, task, 'time'));
}

/** Whether what a wait waits for has come, which is then stored. The time comes last: a reply in time counts. */
export async function isWaitOver(machine: Machine, task: TaskNode): Promise<boolean> {
  const { tx, chat, now } = machine;
  const { event, unlessReply } = task.configuration as WaitConfiguration;
  const row = rowOf(machine, task);
  const hasReply = () => hasUserMessageAfter(tx, chat.id, row.enteredAfterMessageId ?? 0);
  const isDue = row.dueAt !== null && row.dueAt <= now;
  if (unlessReply === true && (await hasReply())) return end(machine, task, 'reply');
  if (event === 'chat:replied' && (await hasReply())) return end(machine, task, 'event');
  if (event !== undefined && row.eventMark !== (await readEventMark(machine, event, row.visitedAt ?? now))) {
    return end(machine, task, 'event');
  }
  if (await conditionHolds(machine, task)) return end(machine, task, 'condition');
  return isDue ? end(machine, task, 'time') : false;
}

/** When to look again at what a wait waits for, although nothing has woken the run. */
export function nextCheck(machine: Machine, task: TaskNode): Date | undefined {
  const { condition, event } = task.configuration as WaitConfiguration;
  const { visitedAt, completedAt } = rowOf(machine, task);
  if (task.taskType !== 'wait' || completedAt !== null || visitedAt === null) return undefined;
  if (condition === undefined && (event === undefined || event === 'chat:replied')) return undefined;
  const first = visitedAt.getTime() + firstCheckMs;
  const now = machine.now.getTime();
  return new Date(now < first ? first : now + checkEveryMs);
}

/** When to look again at an assignment that has begun to stand: a change that was in progress has woken no run. */
export function checkStandingAt({ chat, now }: Machine): Date | undefined {
  return chat.standingReason === null ? undefined : new Date(now.getTime() + firstCheckMs);
}

async function evaluate(machine: Machine, condition: string): Promise<boolean | 'over_budget'> {
  const context = await celContextOf(machine);
  const holds = evaluateCondition(condition, context);
  return isOverBudget(context) ? 'over_budget' : holds;
}

/** Whether the condition of a wait holds. Alerts a colleague, once, if it cannot be evaluated. */
async function conditionHolds(machine: Machine, task: TaskNode): Promise<boolean> {
  const { condition } = task.configuration as WaitConfiguration;
  if (condition === undefined) return false;
  const holds = await evaluate(machine, condition);
  const isMarked = machine.chat.standingReason === 'expression_failed';
  if (holds !== 'over_budget') {
    if (isMarked) await clearStandingAlert(machine);
    return holds;
  }
  if (!isMarked) {
    const changes = { standingReason: 'expression_failed' };
    await changeChat(machine, (tx, chat) => alertColleague(tx, chat, 'expression_failed', changes));
  }
  return false;
}

async function end(machine: Machine, task: TaskNode, by: WaitEnd): Promise<true> {
  const [row] = await Promise.all([
    patchAssignmentTask(machine.tx, rowOf(machine, task).id, { endedBy: endOf(task, by) }),
    by === 'time' && note(machine, { kind: 'timer_came', ...ofTask(machine, task) }),
  ]);
  machine.rows.set(task.id, row);
  return true;
}

/** The time ends a wait for something else as its limit. */
function endOf(task: TaskNode, by: WaitEnd): WaitEnd {
  const { condition, event, unlessReply } = task.configuration as WaitConfiguration;
  const awaitsMore = condition !== undefined || event !== undefined || unlessReply === true;
  return by === 'time' && (awaitsMore || task.taskType === 'collect') ? 'time_limit' : by;
}

/**
 * When a wait is due: `for` and `atMost` are ISO 8601 durations, `until` renders to a date or time, in the member's
 * time zone unless it has an offset. @returns null without a time, or the reason to alert a colleague if it is invalid
 */
async function dueTime(machine: Machine, task: TaskNode) {
  const { for: pause, atMost, until } = task.configuration as WaitConfiguration;
  const duration = pause ?? atMost;
  if (duration === undefined && until === undefined) return null;
  const timezone = await timezoneOfMember(machine.tx, machine.chat.memberId);
  if (duration !== undefined) return addDuration(machine.now, duration, timezone);
  const { text } = renderTemplate(String(until), await celContextOf(machine), 'plain');
  const moment = readMoment(text.trim(), timezone);
  if (moment === undefined) return 'unreadable_time' as const;
  return moment <= latestMoment(machine.now) ? moment : ('time_out_of_range' as const);
}
