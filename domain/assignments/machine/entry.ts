import { updateAssignmentTask } from '../../../db/queries/assignment-tasks.js';
import { raiseChatVersion, updateChat } from '../../../db/queries/chats.js';
import { insertMessage } from '../../../db/queries/messages.js';
import { queueDelivery } from '../../deliveries/queue-delivery.js';
import { addDuration } from '../../duration.js';
import type { TaskNode } from '../../task-tree/types.js';
import { renderTemplate } from '../../template.js';
import { celContextOf } from './cel-context.js';
import { isCollected } from './collected.js';
import { conclude } from './conclude.js';
import type { Entering } from './enter-task.js';
import { type Machine, rowOf } from './machine.js';

type PerformEntry = (machine: Machine, task: TaskNode, entering: Entering) => Promise<boolean>;

/** What each type of task does on entry; true when it is complete at once (design section 6). */
const entries: Record<TaskNode['taskType'], PerformEntry> = {
  conversation: async (machine, _task, entering) => {
    await callAgent(machine, entering);
    return false;
  },
  collect: async (machine, task, entering) => {
    if (await isCollected(machine, task)) return true;
    await callAgent(machine, entering);
    return false;
  },
  message: (machine, task) => sendMessage(machine, task),
  wait: (machine, task) => startWaiting(machine, task),
  decision: async () => true,
  handoff: async (machine) => {
    await handOff(machine);
    return false;
  },
  conclude: async (machine, task, entering) => {
    await conclude(machine, { status: 'completed', ...(await conclusionOf(machine, task)) }, entering);
    return false;
  },
  call: async () => {
    throw new Error('a revision with a call task cannot be published by this version');
  },
};

export function performEntry(machine: Machine, task: TaskNode, entering: Entering): Promise<boolean> {
  return entries[task.taskType](machine, task, entering);
}

/** The agent has to speak; unless it is speaking already. */
async function callAgent(machine: Machine, entering: Entering): Promise<void> {
  if (entering.inTurn) return;
  machine.chat = await raiseChatVersion(machine.tx, machine.chat.id);
}

/** Complete when sent: at once where there is nothing between us and the member. */
async function sendMessage(machine: Machine, task: TaskNode): Promise<boolean> {
  const { text } = renderTemplate(
    String(task.configuration.text),
    await celContextOf(machine),
    machine.chat.channel,
  );
  const message = await insertMessage(machine.tx, {
    chatId: machine.chat.id,
    role: 'assistant',
    content: text,
    taskId: task.id,
  });
  const row = await updateAssignmentTask(machine.tx, rowOf(machine, task).id, { messageId: message.id });
  machine.rows.set(task.id, row);
  const undeliverable = await queueDelivery(machine.tx, machine.chat, message, machine.now);
  if (undeliverable !== undefined) await callPerson(machine);
  return machine.chat.channel !== 'phone-sms';
}

async function startWaiting(machine: Machine, task: TaskNode): Promise<boolean> {
  const dueAt = await dueTime(machine, task);
  if (dueAt === undefined) {
    await callPerson(machine);
    return false;
  }
  const row = await updateAssignmentTask(machine.tx, rowOf(machine, task).id, { dueAt });
  machine.rows.set(task.id, row);
  return dueAt <= machine.now;
}

/** `for` an ISO 8601 duration, or `until` a template that renders to a date and time. */
async function dueTime(machine: Machine, task: TaskNode): Promise<Date | undefined> {
  const { for: duration, until } = task.configuration as { for?: string; until?: string };
  if (duration !== undefined) return addDuration(machine.now, duration);
  const { text } = renderTemplate(String(until), await celContextOf(machine), 'plain');
  const time = new Date(text.trim());
  return Number.isNaN(time.getTime()) ? undefined : time;
}

async function handOff(machine: Machine): Promise<void> {
  machine.chat = await updateChat(machine.tx, machine.chat.id, {
    paused: true,
    pausedAt: machine.now,
    pausedReason: 'handoff',
    needsResponse: true,
  });
}

/** Nothing here goes on by itself: a person has to look. */
export async function callPerson(machine: Machine): Promise<void> {
  machine.chat = await updateChat(machine.tx, machine.chat.id, { needsResponse: true });
}

async function conclusionOf(
  machine: Machine,
  task: TaskNode,
): Promise<{ outcome?: string; outcomeReason?: string }> {
  const { outcome, outcomeReason } = task.configuration as { outcome?: string; outcomeReason?: string };
  const context = await celContextOf(machine);
  return {
    ...(outcome === undefined ? {} : { outcome }),
    ...(outcomeReason === undefined
      ? {}
      : { outcomeReason: renderTemplate(outcomeReason, context, 'plain').text }),
  };
}
