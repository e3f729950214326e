import { findPhoneNumber } from '../../../db/channels/phone-numbers.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import { findWorkflowDefinition } from '../../../db/definitions/workflow-definitions.js';
import { findMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import type { DeliveryChannel, Route, UndeliverableReason } from '../deliveries/channel.js';
import { optOutOfSms } from '../outreach/opt-outs.js';
import { explainSmsError } from './error-codes.js';
import { countSegments } from './segments.js';
import { smsText } from './sms-text.js';

/** Hours later, what an SMS says is out of place. For one that quiet hours hold, it counts from their end. */
export const smsLifeSpanMs = 4 * 3_600_000;

export const smsChannel: DeliveryChannel = {
  lifeSpanMs: smsLifeSpanMs,
  isOvertaken: true,
  needsPlace: false,
  hasReceipts: true,
  // A text can be said again by the agent.
  failuresCallPerson: false,
  route,
  explain: explainSmsError,
  // The carrier counts an MMS once.
  paceOf: (text, withFiles) => (withFiles ? 1 : countSegments(smsText(text))),
  optOut: (tx, { recipient: phone, sender }, now) =>
    optOutOfSms(tx, { phone, sender, source: 'carrier', now }),
};

/** From the chat's number, or the default number of its workflow, to the phone of its member. */
async function route(tx: Tx, chat: ChatRow, withFiles: boolean): Promise<Route[] | UndeliverableReason> {
  const numberId = chat.phoneNumberId ?? (await defaultNumberOf(tx, chat));
  const number = numberId === null ? undefined : await findPhoneNumber(tx, numberId);
  if (number === undefined || !number.smsEnabled) return 'missing_phone_number';
  if (withFiles && !number.mmsEnabled) return 'mms_not_enabled';
  const member = await findMember(tx, chat.memberId);
  if (member === undefined) return 'member_deleted';
  if (member.phone === null) return 'missing_phone';
  return [{ sender: number.number, recipient: member.phone }];
}

/** The default number of the chat's workflow, from which a chat on another channel sends SMS. */
async function defaultNumberOf(tx: Tx, chat: ChatRow): Promise<number | null> {
  if (chat.definitionId === null) return null;
  return (await findWorkflowDefinition(tx, chat.definitionId))?.defaultPhoneNumberId ?? null;
}
