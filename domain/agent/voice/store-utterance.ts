import { findAssignmentTask } from '../../../db/assignments/assignment-tasks.js';
import { findAssignmentOfChat, resetAutomaticSteps } from '../../../db/assignments/assignments.js';
import type { PhoneCallRow } from '../../../db/calls/phone-calls.js';
import { type ChatRow, patchChat, raiseChatVersion } from '../../../db/conversations/chats.js';
import {
  findCallMessage,
  findMessage,
  insertMessage,
  type NewMessage,
  patchMessage,
  selectWrittenAfter,
} from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';
import { advance } from '../../assignments/advance-assignment.js';
import { currentTask, lockEnteringMachine, lockMachine } from '../../assignments/machine/machine.js';
import type { OutreachContext } from '../../kernel/context.js';
import { pokeAssignmentRun } from '../../kernel/runs.js';
import { type BridgedCallRef, itemOf, type LockedBridgedCall } from './bridged-call.js';

/** What was heard of something, when, in milliseconds from the beginning of the call's recording. */
export interface Heard {
  text: string;
  startMs: number;
  endMs: number;
  /** Of words that were cut off. */
  cut?: { whole: string; reason: 'interrupted' | 'call_ended'; atMs: number };
}

export interface Said extends Heard {
  /** The model's id of the item. */
  itemId: string;
  by: 'caller' | 'agent';
}

/**
 * Stores what was said, once, as a message of the chat; also after the call has ended. The member's words are due an answer, by text
 * if the call ends before there is one; the agent's are that answer, unless somebody has written what it does not know.
 * @param said with the newest message that the agent knows
 */
export async function storeSaid(
  tx: Tx,
  ref: BridgedCallRef,
  { call, chat }: LockedBridgedCall,
  { lastMessageId, ...said }: Said & { lastMessageId: number },
  now: Date,
): Promise<void> {
  const callItemId = itemOf(ref, said.itemId);
  if ((await findCallMessage(tx, call.id, callItemId)) !== undefined) return;
  const isCaller = said.by === 'caller';
  await insertMessage(tx, {
    chatId: chat.id,
    role: isCaller ? 'user' : 'assistant',
    author: isCaller ? 'member' : 'agent',
    memberId: isCaller ? chat.memberId : chat.assistantMemberId,
    taskId: await currentTaskId(tx, chat, now),
    callId: call.id,
    callItemId,
    ...asHeard(ref, call, said),
  });
  if (isCaller) {
    // What is written down after the end is no word by text that follows the call.
    const attended = call.finishedAt === null ? { attendedAt: now } : {};
    await raiseChatVersion(tx, chat.id, { lastMessageReceivedAt: now, ...attended });
    await resetAutomaticSteps(tx, chat.id);
  } else if ((await selectWrittenAfter(tx, chat.id, lastMessageId, 1)).length === 0) {
    await patchChat(tx, chat.id, { handledVersion: chat.version });
  }
}

/** Notes when a message was spoken, once, and lets the assignment go on. */
export async function recordPlayed(
  tx: Tx,
  ref: BridgedCallRef,
  { call, chat }: LockedBridgedCall,
  messageId: number,
  heard: Heard,
  { now, outreach, agentBudgets }: Omit<OutreachContext, 'db' | 'clock'> & { now: Date },
): Promise<ChatRow> {
  const message = await findMessage(tx, messageId);
  if (message?.callId !== call.id || message.audioMetadata !== null) return chat;
  // What is stored is what the task says; the model may have spoken it with other marks.
  const { content, ...rest } = asHeard(ref, call, heard);
  const isCut = heard.cut !== undefined;
  await patchMessage(tx, messageId, {
    ...rest,
    ...(isCut ? { content, originalContent: message.content } : {}),
  });
  const assignment = await findAssignmentOfChat(tx, chat.id);
  if (assignment?.status !== 'active') return chat;
  const machine = await lockEnteringMachine(tx, assignment.id, { outreach, now, ofRun: false });
  await advance(machine, agentBudgets);
  // Its run waits for other things from now on.
  if (machine?.assignment.status === 'active') await pokeAssignmentRun(tx, machine.assignment);
  return machine?.chat ?? chat;
}

function asHeard(
  { recordingUuid }: BridgedCallRef,
  { id: phoneCallId }: PhoneCallRow,
  { text, startMs, endMs, cut }: Heard,
) {
  return {
    content: text,
    audioMetadata: { phoneCallId, startMs, endMs },
    audioFileUuid: recordingUuid,
    ...(cut === undefined
      ? {}
      : { originalContent: cut.whole, truncationReason: cut.reason, truncatedAtMs: cut.atMs }),
  } satisfies Partial<NewMessage>;
}

/** The task in which the agent stands; null without an active assignment. Asked for every sentence, so the tree is not read. */
export async function currentTaskId(tx: Tx, chat: ChatRow, now: Date): Promise<number | null> {
  const assignment = await findAssignmentOfChat(tx, chat.id);
  if (assignment?.status !== 'active') return null;
  // Who moves the assignment holds the lock of the chat, as the caller does.
  if (assignment.currentTaskId !== null) {
    const current = await findAssignmentTask(tx, assignment.currentTaskId);
    if (current !== undefined) return current.taskId;
  }
  const machine = await lockMachine(tx, assignment.id, now);
  return machine === undefined ? null : currentTask(machine).id;
}
