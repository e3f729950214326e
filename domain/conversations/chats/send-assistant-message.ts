import { randomUUID } from 'node:crypto';
import { findAssignmentOfChat } from '../../../db/assignments/assignments.js';
import { type ChatRow, lockChat } from '../../../db/conversations/chats.js';
import { insertMessage, type MessageRow, type ToolCall } from '../../../db/conversations/messages.js';
import type { FileRow } from '../../../db/files/files.js';
import { findMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import type { Performer } from '../../agent/performer.js';
import { executeToolCall } from '../../agent/tool-calls/perform-tool-call.js';
import type { ToolResult } from '../../agent/tools/tool-result.js';
import { lockEnteringMachine } from '../../assignments/machine/machine.js';
import { findNoRoom, noRoom } from '../../channels/email/attachments.js';
import { isTooLong, maxSmsParts } from '../../channels/message-text.js';
import { findNoMms } from '../../channels/sms/mms-media.js';
import { lockAttachableFiles } from '../../files/attachments/lock-attachable-files.js';
import type { CommandContext } from '../../kernel/context.js';
import type { ErrorCode } from '../../lib/error-codes.js';
import { type FieldError, InvalidInput, NotFound } from '../../lib/errors.js';
import { takeOperatorMessage } from './take-message.js';

interface SendAssistantMessage {
  chatId: number;
  message: string;
  /** Run in this order, before the message is delivered. */
  toolCalls: readonly { name: string; arguments: string }[];
  /** Ids of files that the caller may read. */
  files?: readonly number[];
}

/**
 * Sends a colleague's message to the member in place of the assistant. Tool calls, message, takeover and queued
 * delivery form one transaction: if one of them is refused or fails, nothing is stored.
 * @returns the message, or the messages that a long text needs in an SMS chat, in their order
 * @throws InvalidInput with the code of why the message cannot be delivered or a tool cannot run
 */
export async function sendAssistantMessage(
  context: CommandContext,
  input: SendAssistantMessage,
): Promise<[MessageRow, ...MessageRow[]]> {
  const { actor } = context;
  const now = context.clock.now();
  requireText(input.message);
  return context.db.inWorkspace(actor.workspaceId, async (tx) => {
    const chat = await lockChat(tx, input.chatId);
    if (chat === undefined) throw new NotFound('Chat');
    await checkReachable(tx, chat, input.message);
    const files = await lockAttachableFiles(tx, actor, input.files ?? []);
    checkFiles(chat, files);
    await runToolCalls(context, tx, chat.id, input.toolCalls, now);

    const current = await lockChat(tx, chat.id);
    const sent = { content: input.message, authorMemberId: actor.memberId, files };
    const { messages, undeliverable } = await takeOperatorMessage(tx, current ?? chat, sent, now);
    if (undeliverable !== undefined) throw undeliverableChat(undeliverable);
    return messages;
  });
}

export function requireText(message: string): void {
  if (message.trim() === '') throw InvalidInput.field('/message', 'must contain text');
}

/** Checks what can be known before the tool calls run. Queueing the delivery checks the outreach gate. */
export async function checkReachable(tx: Tx, chat: ChatRow, message: string): Promise<void> {
  if (chat.channel === 'phone-voice') throw undeliverableChat('unsupported_channel');
  if ((await findMember(tx, chat.memberId)) === undefined) throw undeliverableChat('member_deleted');
  if (isTooLong(chat.channel, message)) {
    throw InvalidInput.field('/message', `must fit into ${maxSmsParts} SMS`);
  }
}

/** Checks that the channel of the chat carries the files. */
export function checkFiles({ channel }: ChatRow, files: readonly FileRow[]): void {
  const found = channel === 'phone-sms' ? findNoMms(files) : undefined;
  if (found !== undefined) throw InvalidInput.field(`/files/${found.place}`, found.problem, 'not_mms_media');
  const place = channel === 'email' ? findNoRoom(files) : undefined;
  if (place !== undefined) throw InvalidInput.field(`/files/${place}`, noRoom, 'email_too_large');
}

export function undeliverableChat(reason: ErrorCode<'invalid'>): InvalidInput {
  return new InvalidInput(reason, `The message cannot be delivered in this chat: ${reason}.`);
}

/** Stores the tool calls and their results in the same form as the agent's, and runs them. */
async function runToolCalls(
  context: CommandContext,
  tx: Tx,
  chatId: number,
  calls: SendAssistantMessage['toolCalls'],
  now: Date,
): Promise<void> {
  if (calls.length === 0) return;
  const { memberId } = context.actor;
  const request = randomUUID();
  const toolCalls = calls.map((call, index): ToolCall => {
    return { id: `call_${request}_0_${index}`, type: 'function', function: { ...call } };
  });
  const written = { chatId, role: 'assistant', author: 'person', memberId } as const;
  const { id: messageId } = await insertMessage(tx, { ...written, content: null, toolCalls });
  const performer: Performer = { by: 'operator', memberId, inTurn: false, actor: context.actor };
  for (const [index, call] of toolCalls.entries()) {
    const chat = await lockChat(tx, chatId);
    if (chat === undefined) throw new NotFound('Chat');
    const assignment = await findAssignmentOfChat(tx, chatId);
    const isActive = assignment?.status === 'active';
    const step = { outreach: context.outreach, now, ofRun: false };
    const machine = isActive ? await lockEnteringMachine(tx, assignment.id, step) : undefined;
    const place = { chat, machine, performer, messageId, now };
    const result = await executeToolCall(context, tx, place, call.function);
    if (!result.ok) throw refusedCall(index, result);
    const content = JSON.stringify(result);
    const ofCall = { toolCallId: call.id, subConversationOf: call.id };
    await insertMessage(tx, { chatId, role: 'tool', author: 'system', ...ofCall, content });
  }
}

function refusedCall(index: number, result: Extract<ToolResult, { ok: false }>): InvalidInput {
  const call = `/tool_calls/${index}/function`;
  if (result.error === 'tool_not_available') {
    return InvalidInput.field(`${call}/name`, 'is no tool that the chat offers now', result.error);
  }
  const errors: FieldError[] = (result.errors ?? []).map(({ pointer, message }) => ({
    pointer: `${call}/arguments`,
    message: pointer === '' ? message : `${pointer} ${message}`,
  }));
  if (errors.length > 0) return InvalidInput.fields(errors, result.error);
  return InvalidInput.field(call, `is refused: ${result.error}`, result.error);
}
