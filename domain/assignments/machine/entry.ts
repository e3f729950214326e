import { findOpenCall } from '../../../db/calls/phone-calls.js';
import { messageParts } from '../../channels/message-text.js';
import { paused } from '../../chat-state/pause.js';
import type { TaskNode } from '../../definitions/task-tree/types.js';
import { isOverBudget } from '../../lib/cel.js';
import { renderTemplate } from '../../lib/template.js';
import { startCalling } from './calling.js';
import { celContextOf, withoutPerson } from './cel-context.js';
import { isCollected } from './collected.js';
import type { Effect, Entry } from './effect.js';
import type { EnteringMachine } from './machine.js';
import { limitTime, startWaiting } from './waiting.js';

/** What the entry of a task of each type brings about. It only reads. */
const entries: Record<TaskNode['taskType'], (machine: EnteringMachine, task: TaskNode) => Promise<Entry>> = {
  conversation: async () => ({ effects: [{ kind: 'turn' }], isComplete: false }),
  collect: async (machine, task) => {
    if (await isCollected(machine, task)) return { effects: [], isComplete: true };
    return { effects: [...(await limitTime(machine, task)), { kind: 'turn' }], isComplete: false };
  },
  message: async (machine, task) => {
    const { effects, said } = await saying(machine, String(task.configuration.text));
    const isSent = said === 'sent' && !machine.outreach.delivers(machine.chat.channel);
    return { effects, isComplete: said === 'nothing' || isSent };
  },
  wait: startWaiting,
  decision: async () => ({ effects: [], isComplete: true }),
  handoff: handOff,
  conclude: async (machine, task) => {
    const { outcome, outcomeReason: template } = task.configuration as {
      outcome?: string;
      outcomeReason?: string;
    };
    const context = await celContextOf(machine);
    const outcomeReason = template && renderTemplate(template, context, 'plain').text;
    return { effects: [{ kind: 'conclude', outcome, outcomeReason }], isComplete: false };
  },
  call: async (machine, task) => ({ effects: await startCalling(machine, task), isComplete: false }),
};

/** Whether entering the task only requests a turn of the agent, independent of messages and collected data. */
export function onlyRequestsTurn(task: TaskNode): boolean {
  return task.taskType === 'conversation';
}

export function entryOf(machine: EnteringMachine, task: TaskNode): Promise<Entry> {
  return entries[task.taskType](machine, task);
}

/** The rendered text of a task for the channel of the chat, or for the call in which it is spoken. */
async function saying(
  machine: EnteringMachine,
  template: string,
): Promise<{ effects: Effect[]; said: 'nothing' | 'sent' | 'to_speak' }> {
  const { tx, chat, outreach } = machine;
  const context = await celContextOf(machine);
  const call = await findOpenCall(tx, chat.id);
  const channel = call === undefined ? chat.channel : 'phone-voice';
  const told = (await outreach.mayReachAnother(tx, chat, call)) ? withoutPerson(context) : context;
  const { text } = renderTemplate(template, told, channel);
  const parts = messageParts(channel, text);
  const effects: Effect[] = isOverBudget(context) ? [{ kind: 'alert', reason: 'expression_failed' }] : [];
  if (parts.length === 0) return { effects, said: 'nothing' };
  effects.push({ kind: 'say', parts, callId: call?.id });
  return { effects, said: call === undefined ? 'sent' : 'to_speak' };
}

/** Tells the member, notes the reason for the person who takes over, and pauses the agent. */
async function handOff(machine: EnteringMachine, task: TaskNode): Promise<Entry> {
  const { message, reason } = task.configuration as { message?: string; reason?: string };
  const said = message === undefined ? [] : (await saying(machine, message)).effects;
  const noted: Effect[] = reason === undefined ? [] : [{ kind: 'note', content: `Handed over: ${reason}` }];
  const changes = paused(null, 'handoff', machine.now);
  return { effects: [...said, ...noted, { kind: 'alert', reason: 'handoff', changes }], isComplete: false };
}
