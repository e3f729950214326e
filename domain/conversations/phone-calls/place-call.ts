import type { PhoneCallRow } from '../../../db/calls/phone-calls.js';
import { findPhoneNumber } from '../../../db/channels/phone-numbers.js';
import { type ChatRow, lockChat } from '../../../db/conversations/chats.js';
import type { Tx } from '../../../db/tx.js';
import { requestCall } from '../../calls/request-call.js';
import { refusalOfCall } from '../../calls/safety-gate.js';
import { requireWritable } from '../../chat-state/chat-access.js';
import { agentMaySpeak } from '../../kernel/agent-due.js';
import type { CommandContext } from '../../kernel/context.js';
import type { CallRefusal } from '../../kernel/outreach.js';
import { Conflict, InvalidInput } from '../../lib/errors.js';
import type { Calling } from './calling.js';
import { type PhoneCallView, viewCalls } from './read-calls.js';

export interface PlaceCall {
  chatId: number;
  phoneNumberId: number;
}

/**
 * Calls the member of a chat. A call of which it is known that it will not be dialled is refused at once.
 * @throws NotFound, Forbidden, InvalidInput, Conflict `call_in_progress`, `agent_not_active`
 */
export async function placeCall(
  context: CommandContext,
  { isAvailable }: Pick<Calling, 'isAvailable'>,
  input: PlaceCall,
): Promise<PhoneCallView> {
  const { actor, db } = context;
  if (!isAvailable)
    throw new InvalidInput('voice_unavailable', 'Calls are not available in this installation.');
  const now = context.clock.now();
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const chat = await requireWritable(tx, actor, await lockChat(tx, input.chatId));
    requireAgent(chat);
    const asked = await requestCall(tx, {
      chat,
      from: { id: input.phoneNumberId },
      begunBy: 'api',
      requestedByMemberId: actor.memberId,
      now,
    });
    if ('refused' in asked) throw refusalOfRequest(asked.refused);
    await requireDiallable(context, tx, chat, asked.call, now);
    const [view] = await viewCalls(tx, actor, [asked.call]);
    if (view === undefined) throw new Error('the call is gone that was just stored');
    return view;
  });
}

/** The claim would end the call. */
function requireAgent(chat: ChatRow): void {
  if (agentMaySpeak(chat)) return;
  const why = chat.archived
    ? 'The chat is archived'
    : chat.paused
      ? 'The chat is paused'
      : chat.assistantEnabled
        ? `The agent has stopped (${chat.agentStoppedReason})`
        : 'The chat has no agent';
  throw new Conflict('agent_not_active', `${why}, so that nobody would speak in the call.`);
}

/** The safety gate is asked again when the call is dialled. @throws InvalidInput with the reason as its code */
async function requireDiallable(
  context: CommandContext,
  tx: Tx,
  chat: ChatRow,
  { id, remoteNumber, phoneNumberId }: PhoneCallRow,
  now: Date,
): Promise<void> {
  const from = await findPhoneNumber(tx, phoneNumberId);
  if (from === undefined || remoteNumber === null) throw new Error('a call was stored without its numbers');
  const toDial = { call: { id, remoteNumber }, chat, from: from.number, now };
  const blocked = await refusalOfCall(context, tx, toDial);
  if (blocked !== undefined) throw new InvalidInput(blocked, `The member cannot be called now: ${blocked}.`);
}

/** What a caller is told that asks for a call which cannot be. */
export function refusalOfRequest(refused: CallRefusal): Error {
  switch (refused) {
    case 'call_in_progress':
      return new Conflict(
        'call_in_progress',
        'A call of the chat, or to the phone number of its member, has not ended.',
      );
    case 'missing_phone_number':
      return InvalidInput.field('/phoneNumberId', 'names no phone number of this workspace');
    case 'voice_disabled':
      return InvalidInput.field('/phoneNumberId', 'is not enabled for phone-voice');
    case 'missing_phone':
      return InvalidInput.field('/chatId', 'is the chat of a member without a phone number', 'missing_phone');
    case 'member_deleted':
      return InvalidInput.field('/chatId', 'is the chat of a deleted member', 'member_deleted');
  }
}
