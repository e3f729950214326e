import { patchAssignmentTask } from '../../../db/assignments/assignment-tasks.js';
import { insertMessage } from '../../../db/conversations/messages.js';
import { alertColleague } from '../../kernel/alert-colleague.js';
import { type Happening, note, ofTask } from '../timeline/note.js';
import { conclude } from './conclude.js';
import type { Effect, EffectOf, Origin } from './effect.js';
import { changeChat, type EnteringMachine, requestTurn, rowOf } from './machine.js';

/** When a member is called again who is on the phone in another chat. */
const onPhoneRetryMs = 5 * 60_000;

/** Performs effects one after the other, in the transaction of the machine. */
export async function perform(
  machine: EnteringMachine,
  effects: readonly Effect[],
  origin: Origin,
): Promise<void> {
  for (const effect of effects) await performOne(machine, effect, origin);
}

async function performOne(machine: EnteringMachine, effect: Effect, origin: Origin): Promise<void> {
  const { task, entering } = origin;
  switch (effect.kind) {
    case 'turn':
      return requestTurn(machine, entering);
    case 'say':
      return say(machine, effect, origin);
    case 'call':
      return call(machine, effect, origin);
    case 'wait':
      return wait(machine, effect, origin);
    case 'note': {
      const written = { role: 'system', author: 'workflow', taskId: task.id } as const;
      await insertMessage(machine.tx, { chatId: machine.chat.id, content: effect.content, ...written });
      return;
    }
    case 'alert': {
      const { reason, changes } = effect;
      return changeChat(machine, (tx, chat) => alertColleague(tx, chat, reason, changes));
    }
    case 'conclude': {
      const { outcome, outcomeReason } = effect;
      return conclude(machine, { status: 'completed', outcome, outcomeReason }, entering);
    }
  }
}

/** During a call, a message is stored alone, and the bridge speaks it (docs/decisions/0144-a-call-holds-the-floor.md). */
async function say(
  machine: EnteringMachine,
  { parts, callId }: EffectOf<'say'>,
  { task }: Origin,
): Promise<void> {
  const { tx, chat, now, outreach } = machine;
  for (const content of parts) {
    const written = { chatId: chat.id, role: 'assistant', author: 'workflow', taskId: task.id } as const;
    const message = await insertMessage(tx, { ...written, content, callId: callId ?? null });
    await changeChat(machine, async (_tx, told) => ({ ...told, messageCount: told.messageCount + 1 }));
    // Messages are sent in order, so the last one represents all of them.
    const row = await patchAssignmentTask(tx, rowOf(machine, task).id, { messageId: message.id });
    machine.rows.set(task.id, row);
    if (callId !== undefined) continue;
    if ((await outreach.deliver(tx, chat, message, now, { forTask: true })) !== undefined) {
      await changeChat(machine, (_tx, told) => alertColleague(tx, told, 'delivery_failed'));
    }
  }
}

/** The call begins by a run of its own. What cannot be dialled is left to a person. */
async function call(machine: EnteringMachine, { from }: EffectOf<'call'>, origin: Origin): Promise<void> {
  const { tx, chat, now, outreach } = machine;
  const number = from === undefined ? undefined : { number: from };
  const assignmentTaskId = rowOf(machine, origin.task).id;
  const asked = await outreach.call(tx, { chat, from: number, begunBy: 'task', assignmentTaskId, now });
  if (asked === 'placed') return;
  if (asked === 'answered') return requestTurn(machine, origin.entering);
  if (asked === 'call_in_progress') {
    return wait(machine, { kind: 'wait', until: new Date(now.getTime() + onPhoneRetryMs) }, origin);
  }
  const reason = 'call_not_placed';
  await changeChat(machine, () => alertColleague(tx, chat, reason, { standingReason: reason }));
}

async function wait(
  machine: EnteringMachine,
  { until, eventMark, endedBy }: EffectOf<'wait'>,
  { task }: Origin,
): Promise<void> {
  const of = ofTask(machine, task);
  const happened: Happening[] = [];
  if (until !== null) happened.push({ kind: 'timer_set', ...of, until });
  if (endedBy === 'time' || endedBy === 'time_limit') happened.push({ kind: 'timer_came', ...of });
  const [row] = await Promise.all([
    patchAssignmentTask(machine.tx, rowOf(machine, task).id, {
      dueAt: until,
      ...(eventMark === undefined ? {} : { eventMark }),
      ...(endedBy === undefined ? {} : { endedBy }),
    }),
    note(machine, ...happened),
  ]);
  machine.rows.set(task.id, row);
}
