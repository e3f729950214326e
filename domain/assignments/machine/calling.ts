import { readCallsOfTask } from '../../../db/calls/calls-of-chat.js';
import { findOpenCall } from '../../../db/calls/phone-calls.js';
import type { TaskNode } from '../../definitions/task-tree/types.js';
import { timezoneOfMember } from '../../kernel/timezone-of-member.js';
import { addDuration } from '../../lib/duration.js';
import { note, ofTask } from '../timeline/note.js';
import type { Effect } from './effect.js';
import { type EnteringMachine, type Machine, rowOf } from './machine.js';
import { perform } from './perform.js';

/** The configuration of a `call` task. */
interface CallConfiguration {
  phoneNumber?: string;
  attempts?: number;
  retryAfter?: string;
}

const minRetryMs = 60_000;

/** Calls the member, unless it is on the phone already. The task is complete when the call has ended in it. */
export async function startCalling({ tx, chat }: Machine, task: TaskNode): Promise<Effect[]> {
  const isInCall = (await findOpenCall(tx, chat.id)) !== undefined;
  return [isInCall ? { kind: 'turn' } : callingOf(task)];
}

/**
 * Whether a `call` task is complete: its call was answered and has ended, or its attempts are used up. Places the next attempt
 * when it is due. What cannot be dialled is left to a person.
 */
export async function isCallOver(machine: EnteringMachine, task: TaskNode): Promise<boolean> {
  const { tx, chat, now, outreach } = machine;
  const row = rowOf(machine, task);
  if (await outreach.isInCall(tx, chat, row.id)) return false;
  // A colleague was alerted, and selects what follows.
  if (chat.standingReason === 'call_not_placed') return false;
  const { attempts = 1, retryAfter = 'PT1H' } = task.configuration as CallConfiguration;
  const origin = { task, entering: { by: 'automatic', inTurn: false } } as const;
  if (row.dueAt !== null) {
    if (row.dueAt > now) return false;
    await note(machine, { kind: 'timer_came', ...ofTask(machine, task) });
    await perform(machine, [{ kind: 'wait', until: null }, callingOf(task)], origin);
    return false;
  }
  const calls = await readCallsOfTask(tx, row.id, row.visitedAt ?? now);
  // Without an attempt of its own, the task was entered during a call, which is over.
  if (calls.attempts === 0) return true;
  if (calls.endedAt === null) return false;
  if (calls.answered || calls.attempts >= attempts) return true;
  const due = addDuration(calls.endedAt, retryAfter, await timezoneOfMember(tx, chat.memberId));
  const until = new Date(Math.max(due.getTime(), calls.endedAt.getTime() + minRetryMs));
  await perform(machine, [{ kind: 'wait', until }], origin);
  return false;
}

function callingOf(task: TaskNode): Effect {
  const { phoneNumber } = task.configuration as CallConfiguration;
  return { kind: 'call', from: phoneNumber };
}
