import { findAssignmentOfChat } from '../../../db/assignments/assignments.js';
import { type ChatRow, findChat, lockChat } from '../../../db/conversations/chats.js';
import { findToolCallMessage, type MessageRow, type ToolCall } from '../../../db/conversations/messages.js';
import { isWorkspaceHeld } from '../../../db/definitions/workspace-holds.js';
import { lockMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { type EnteringMachine, lockEnteringMachine } from '../../assignments/machine/machine.js';
import { optsOut } from '../tools/tools.js';
import type { ToolCallRef, ToolContext } from './call-place.js';

/** The place of a tool call, with its rows locked. */
export interface LockedTurn {
  chat: ChatRow;
  message: MessageRow;
  call: ToolCall;
  /** The active assignment. */
  machine: EnteringMachine | undefined;
  /** The workspace, or the workflow of the assignment, is held. */
  isHeld: boolean;
}

/** @returns undefined if the chat or the message is gone */
export async function lockTurn(
  { outreach }: ToolContext,
  tx: Tx,
  ref: ToolCallRef,
  now: Date,
): Promise<LockedTurn | undefined> {
  const asked = await findCall(tx, ref);
  // The row of a member is locked before that of its chat, wherever both are.
  if (asked !== undefined && optsOut(asked.call.function.name)) {
    const { memberId } = (await findChat(tx, ref.chatId)) ?? {};
    if (memberId !== undefined) await lockMember(tx, memberId);
  }
  const chat = await lockChat(tx, ref.chatId);
  const found = await findCall(tx, ref);
  if (chat === undefined || found === undefined) return undefined;
  const assignment = await findAssignmentOfChat(tx, ref.chatId);
  // A call walks the assignment outside of its run, which waits.
  const ofRun = found.message.callId === null;
  const isActive = assignment?.status === 'active';
  const machine = isActive
    ? await lockEnteringMachine(tx, assignment.id, { outreach, now, ofRun })
    : undefined;
  const isHeld = machine?.isHeld ?? (await isWorkspaceHeld(tx));
  return { chat, ...found, machine, isHeld };
}

async function findCall(
  tx: Tx,
  { chatId, toolCallId }: ToolCallRef,
): Promise<Pick<LockedTurn, 'message' | 'call'> | undefined> {
  const message = await findToolCallMessage(tx, chatId, toolCallId);
  const call = message?.toolCalls.find(({ id }) => id === toolCallId);
  return message && call && { message, call };
}
