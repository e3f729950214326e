import { patchAssignmentTask } from '../../../db/assignments/assignment-tasks.js';
import { readCallsOfTask } from '../../../db/calls/calls-of-chat.js';
import { findOpenCall } from '../../../db/calls/phone-calls.js';
import { requestCall } from '../../calls/request-call.js';
import type { TaskNode } from '../../definitions/task-tree/types.js';
import { callPerson } from '../../kernel/call-person.js';
import { simulatedCalls } from '../../kernel/simulated.js';
import { timezoneOfMember } from '../../kernel/timezone-of-member.js';
import { addDuration } from '../../lib/duration.js';
import { note, ofTask } from '../timeline/note.js';
import { callAgent } from './call-agent.js';
import type { Entering } from './entering.js';
import { type Machine, rowOf } from './machine.js';
import { simulateCall } from './simulate-call.js';

/** The configuration of a `call` task. */
interface CallConfiguration {
  phoneNumber?: string;
  attempts?: number;
  retryAfter?: string;
}

const shortestRetryMs = 60_000;
/** When a member is called again who is on the phone in another chat. */
const onPhoneRetryMs = 5 * 60_000;

/**
 * Calls the member, unless it is on the phone already. The task is complete when the call has ended in it. A simulation places no
 * calls: what becomes of them is scripted, and by default its member is on the phone at once.
 */
export async function startCalling(machine: Machine, task: TaskNode, entering: Entering): Promise<void> {
  if ((await findOpenCall(machine.tx, machine.chat.id)) !== undefined) await callAgent(machine, entering);
  else await placeCall(machine, task, entering);
}

/**
 * Whether a `call` task is complete: its call was answered and has ended, or its attempts are used up. Places the next attempt
 * when it is due. What cannot be dialled is left to a person.
 */
export async function isCallOver(machine: Machine, task: TaskNode): Promise<boolean> {
  const { tx, chat, now } = machine;
  if (simulatedCalls()?.answeredIn.has(rowOf(machine, task).id)) return false;
  if ((await findOpenCall(tx, chat.id)) !== undefined) return false;
  // A colleague was alerted, and selects what follows.
  if (chat.standingReason === 'call_not_placed') return false;
  const { attempts = 1, retryAfter = 'PT1H' } = task.configuration as CallConfiguration;
  const row = rowOf(machine, task);
  if (row.dueAt !== null) {
    if (row.dueAt > now) return false;
    await note(machine, { kind: 'timer_came', ...ofTask(machine, task) });
    await setDue(machine, task, null);
    await placeCall(machine, task, { inTurn: false });
    return false;
  }
  const calls = await readCallsOfTask(tx, row.id, row.visitedAt ?? now);
  // Without an attempt of its own, the task was entered during a call, which is over.
  if (calls.attempts === 0) return true;
  if (calls.endedAt === null) return false;
  if (calls.answered || calls.attempts >= attempts) return true;
  const due = addDuration(calls.endedAt, retryAfter, await timezoneOfMember(tx, chat.memberId));
  const dueAt = new Date(Math.max(due.getTime(), calls.endedAt.getTime() + shortestRetryMs));
  await setDue(machine, task, dueAt);
  await note(machine, { kind: 'timer_set', assignmentTaskId: row.id, until: dueAt });
  return false;
}

async function placeCall(
  machine: Machine,
  task: TaskNode,
  entering: Pick<Entering, 'inTurn'>,
): Promise<void> {
  const { tx, chat, now } = machine;
  const simulated = simulatedCalls();
  if (simulated !== undefined) {
    if (await simulateCall(machine, task, simulated)) await callAgent(machine, entering);
    return;
  }
  const { phoneNumber } = task.configuration as CallConfiguration;
  const requested = await requestCall(tx, {
    chat,
    from: phoneNumber === undefined ? undefined : { number: phoneNumber },
    begunBy: 'task',
    assignmentTaskId: rowOf(machine, task).id,
    now,
  });
  if ('call' in requested) return;
  if (requested.refused === 'call_in_progress') {
    const dueAt = new Date(now.getTime() + onPhoneRetryMs);
    await setDue(machine, task, dueAt);
    await note(machine, { kind: 'timer_set', assignmentTaskId: rowOf(machine, task).id, until: dueAt });
    return;
  }
  machine.chat = await callPerson(tx, machine.chat, 'call_not_placed', { standingReason: 'call_not_placed' });
}

async function setDue(machine: Machine, task: TaskNode, dueAt: Date | null): Promise<void> {
  const { id } = rowOf(machine, task);
  machine.rows.set(task.id, await patchAssignmentTask(machine.tx, id, { dueAt }));
}
