import { lockChat } from '../../../db/conversations/chats.js';
import { type CallRefusal, requestCall } from '../../calls/request-call.js';
import { requireWritable } from '../../chat-state/chat-access.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, InvalidInput } from '../../lib/errors.js';
import type { Calling } from './answer-call.js';
import { type PhoneCallView, viewCalls } from './read-calls.js';

export interface PlaceCall {
  chatId: number;
  phoneNumberId: number;
}

/** Calls the member of a chat. @throws NotFound, Forbidden, InvalidInput, Conflict `call_in_progress` */
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
    const asked = await requestCall(tx, {
      chat,
      from: { id: input.phoneNumberId },
      begunBy: 'api',
      requestedByMemberId: actor.memberId,
      now,
    });
    if ('refused' in asked) throw refusalOfRequest(asked.refused);
    const [view] = await viewCalls(tx, actor, [asked.call]);
    if (view === undefined) throw new Error('the call is gone that was just stored');
    return view;
  });
}

/** What a caller is told that asks for a call which cannot be. */
export function refusalOfRequest(refused: CallRefusal): Error {
  switch (refused) {
    case 'call_in_progress':
      return new Conflict('call_in_progress', 'A call of the chat has not ended.');
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
