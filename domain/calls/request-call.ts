import {
  findOpenCall,
  hasOpenCallTo,
  insertPhoneCall,
  type PhoneCallRow,
} from '../../db/calls/phone-calls.js';
import {
  findPhoneNumber,
  findPhoneNumberByNumber,
  type PhoneNumberRow,
  selectVoiceNumbers,
} from '../../db/channels/phone-numbers.js';
import type { ChatRow } from '../../db/conversations/chats.js';
import { findWorkflowDefinition } from '../../db/definitions/workflow-definitions.js';
import { lockSubject } from '../../db/lock-subject.js';
import { findMember } from '../../db/people/members.js';
import type { Tx } from '../../db/tx.js';
import type { CallRefusal, CallRequest } from '../kernel/outreach.js';
import { startCallRun } from '../kernel/runs.js';

/** Names the lock by which calls to a number take turns. */
export const callsTo = (phone: string): string => `calls to ${phone}`;

/**
 * Asks for a call to the member of a chat: the row, which takes the floor of the chat, and the run that dials. Whether it may be
 * dialled at all is decided by the safety gate when it is.
 */
export async function requestCall(
  tx: Tx,
  { chat, from, begunBy, requestedByMemberId = null, assignmentTaskId = null, now }: CallRequest,
): Promise<{ call: PhoneCallRow } | { refused: CallRefusal }> {
  if ((await findOpenCall(tx, chat.id)) !== undefined) return { refused: 'call_in_progress' };
  const [member, number] = [await findMember(tx, chat.memberId), await numberFor(tx, chat, from)];
  if (member === undefined) return { refused: 'member_deleted' };
  if (member.phone === null) return { refused: 'missing_phone' };
  if (number === undefined) return { refused: 'missing_phone_number' };
  if (!number.voiceEnabled) return { refused: 'voice_disabled' };
  // Of two that are asked for at once, in two chats, the later finds the earlier.
  await lockSubject(tx, callsTo(member.phone));
  if (await hasOpenCallTo(tx, member.phone, { except: 0, isDialled: false }))
    return { refused: 'call_in_progress' };
  const call = await insertPhoneCall(tx, {
    chatId: chat.id,
    phoneNumberId: number.id,
    memberId: member.id,
    inbound: false,
    remoteNumber: member.phone,
    begunBy,
    requestedByMemberId,
    assignmentTaskId,
    createdAt: now,
    updatedAt: now,
  });
  await startCallRun(tx, chat, call);
  return { call };
}

/** The number that a chat is called from. */
async function numberFor(
  tx: Tx,
  chat: ChatRow,
  from: CallRequest['from'],
): Promise<PhoneNumberRow | undefined> {
  if (from !== undefined) {
    return 'id' in from ? findPhoneNumber(tx, from.id) : findPhoneNumberByNumber(tx, from.number);
  }
  const own = chat.phoneNumberId === null ? undefined : await findPhoneNumber(tx, chat.phoneNumberId);
  if (own?.voiceEnabled) return own;
  const definition =
    chat.definitionId === null ? undefined : await findWorkflowDefinition(tx, chat.definitionId);
  const id = definition?.defaultPhoneNumberId ?? null;
  const usual = id === null ? undefined : await findPhoneNumber(tx, id);
  if (usual?.voiceEnabled) return usual;
  const [first, second] = await selectVoiceNumbers(tx, 2);
  return second === undefined && first !== undefined ? first : (own ?? usual);
}
