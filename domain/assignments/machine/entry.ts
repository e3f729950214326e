import { patchAssignmentTask } from '../../../db/assignments/assignment-tasks.js';
import { findOpenCall } from '../../../db/calls/phone-calls.js';
import { insertMessage } from '../../../db/conversations/messages.js';
import { findChannel } from '../../channels/deliveries/channels.js';
import { queueDelivery } from '../../channels/deliveries/queue-delivery.js';
import { messageParts } from '../../channels/message-text.js';
import { paused } from '../../chat-state/pause.js';
import type { TaskNode } from '../../definitions/task-tree/types.js';
import { callPerson } from '../../kernel/call-person.js';
import { isOverBudget } from '../../lib/cel.js';
import { renderTemplate } from '../../lib/template.js';
import { callAgent } from './call-agent.js';
import { startCalling } from './calling.js';
import { celContextOf } from './cel-context.js';
import { isCollected } from './collected.js';
import { conclude } from './conclude.js';
import type { Entering } from './entering.js';
import { type Machine, rowOf } from './machine.js';
import { toldContext } from './told-context.js';
import { limitTime, startWaiting } from './waiting.js';

type PerformEntry = (machine: Machine, task: TaskNode, entering: Entering) => Promise<boolean>;

/** Performs the entry of each task type. @returns whether the task is complete at once */
const entries: Record<TaskNode['taskType'], PerformEntry> = {
  conversation: async (machine, _task, entering) => {
    await callAgent(machine, entering);
    return false;
  },
  collect: async (machine, task, entering) => {
    if (await isCollected(machine, task)) return true;
    await limitTime(machine, task);
    await callAgent(machine, entering);
    return false;
  },
  message: sendMessage,
  wait: startWaiting,
  decision: async () => true,
  handoff: handOff,
  conclude: async (machine, task, entering) => {
    const { outcome, outcomeReason } = task.configuration as { outcome?: string; outcomeReason?: string };
    const context = await celContextOf(machine);
    const reason = outcomeReason && renderTemplate(outcomeReason, context, 'plain').text;
    await conclude(machine, { status: 'completed', outcome, outcomeReason: reason }, entering);
    return false;
  },
  call: async (machine, task, entering) => {
    await startCalling(machine, task, entering);
    return false;
  },
};

/** Whether entering the task only requests a turn of the agent, independent of messages and collected data. */
export function onlyCallsAgent(task: TaskNode): boolean {
  return task.taskType === 'conversation';
}

export function performEntry(machine: Machine, task: TaskNode, entering: Entering): Promise<boolean> {
  return entries[task.taskType](machine, task, entering);
}

/** The task is complete at once if there is nothing to send, or if the channel needs no delivery and nobody is on the phone. */
async function sendMessage(machine: Machine, task: TaskNode): Promise<boolean> {
  const said = await say(machine, task, String(task.configuration.text));
  return said === 'nothing' || (said === 'sent' && findChannel(machine.chat.channel) === undefined);
}

/**
 * Delivers a rendered template in as many messages as the channel needs; during a call, it is a message that the bridge speaks
 * (docs/decisions/0144-a-call-holds-the-floor.md).
 */
async function say(
  machine: Machine,
  task: TaskNode,
  template: string,
): Promise<'nothing' | 'sent' | 'to_speak'> {
  const { tx, chat, now } = machine;
  const context = await celContextOf(machine);
  const call = await findOpenCall(tx, chat.id);
  const channel = call === undefined ? chat.channel : 'phone-voice';
  const { text } = renderTemplate(template, await toldContext(tx, chat, call, context), channel);
  if (isOverBudget(context)) machine.chat = await callPerson(tx, machine.chat, 'expression_failed');
  const parts = messageParts(channel, text);
  for (const content of parts) {
    const written = { chatId: chat.id, role: 'assistant', author: 'workflow', taskId: task.id } as const;
    const message = await insertMessage(tx, { ...written, content, callId: call?.id ?? null });
    machine.chat = { ...machine.chat, messageCount: machine.chat.messageCount + 1 };
    // Messages are sent in order, so the last one represents all of them.
    const row = await patchAssignmentTask(tx, rowOf(machine, task).id, { messageId: message.id });
    machine.rows.set(task.id, row);
    if (call !== undefined) continue;
    if ((await queueDelivery(tx, chat, message, now, { forTask: true })) !== undefined) {
      machine.chat = await callPerson(tx, machine.chat, 'delivery_failed');
    }
  }
  if (parts.length === 0) return 'nothing';
  return call === undefined ? 'sent' : 'to_speak';
}

/** Sends the configured message and stores the reason as a note for the person who takes over. */
async function handOff(machine: Machine, task: TaskNode): Promise<boolean> {
  const { message, reason } = task.configuration as { message?: string; reason?: string };
  if (message !== undefined) await say(machine, task, message);
  if (reason !== undefined) {
    const content = `Handed over: ${reason}`;
    const note = { role: 'system', author: 'workflow', content, taskId: task.id } as const;
    await insertMessage(machine.tx, { chatId: machine.chat.id, ...note });
  }
  machine.chat = await callPerson(machine.tx, machine.chat, 'handoff', paused(null, 'handoff', machine.now));
  return false;
}
