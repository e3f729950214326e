import {
  countCallsFrom,
  findOpenCall,
  findPhoneCallAtCarrier,
  findReturnedCall,
  insertPhoneCall,
  type NewPhoneCall,
  patchPhoneCall,
} from '../../../db/calls/phone-calls.js';
import { findPhoneNumber, type PhoneNumberRow } from '../../../db/channels/phone-numbers.js';
import { type ChatRow, lockChat } from '../../../db/conversations/chats.js';
import type { WorkspaceRow } from '../../../db/identity/models/workspace.js';
import { findMemberByPhone, isMemberDisabled, type MemberRow } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import type { EndedBy } from '../../calls/call-endings.js';
import type { CallInstruction } from '../../calls/call-instructions.js';
import { finishCall } from '../../calls/finish-call.js';
import { lockCall } from '../../calls/lock-call.js';
import { markAnswered } from '../../calls/record-call-news.js';
import { lockSmsThread } from '../../channels/sms/sms-thread.js';
import { findSpentMonth } from '../../chat-state/credit-budget.js';
import { agentMaySpeak } from '../../kernel/agent-due.js';
import { alertColleague, whyUnanswered } from '../../kernel/alert-colleague.js';
import type { OutreachContext, ServiceContext } from '../../kernel/context.js';
import type { Outreach } from '../../kernel/outreach.js';
import { startCallRun } from '../../kernel/runs.js';
import { isWithheld, normalizePhone } from '../../lib/phone.js';
import { openInboundChat } from '../chats/open-inbound-chat.js';
import { memberOfCaller } from '../chats/sender-member.js';
import { instructionsFor } from './answer-call.js';
import type { Calling } from './calling.js';
import { isClosed, isTooOftenClosed, sayClosed } from './closed.js';

export interface IncomingCall {
  carrierCallId: string;
  /** As the carrier says: a number, or a word for one that is withheld. */
  from: string;
  to: string;
}

/** How many calls of one number are taken within an hour: a program that calls again and again costs no more. */
export const maxCallsOfCallerAnHour = 20;
const hourMs = 3_600_000;
/** For how long a call back belongs to the chat in which the member was called. */
export const callBackWithinMs = 30 * 24 * hourMs;

/**
 * Takes an incoming call, once for each id of the carrier: into the chat in which the caller was called last, or a new one. A
 * caller's number is no proof of who calls: it names the member, and proves no address (docs/decisions/0149-who-calls.md).
 */
export async function receiveCall(
  context: OutreachContext,
  calling: Calling,
  incoming: IncomingCall,
): Promise<CallInstruction[]> {
  const { db, clock } = context;
  const route = await db.identity.phoneNumberRoutes.find(incoming.to);
  if (route === undefined) return rejected('voice_disabled');
  const now = clock.now();
  return db.inWorkspace(route.workspaceId, async (tx) => {
    const workspace = await db.identity.workspaces.findById(route.workspaceId, tx);
    const number = await findPhoneNumber(tx, route.phoneNumberId);
    if (workspace === undefined || number === undefined) return rejected('voice_disabled');
    const from = isWithheld(incoming.from) ? null : normalizePhone(incoming.from, 'US');
    // Serializes by caller: the carrier repeats its requests, and an SMS may make the same member.
    await lockSmsThread(tx, from ?? `anonymous:${incoming.carrierCallId}`);
    const known = await findPhoneCallAtCarrier(tx, incoming.carrierCallId);
    if (known !== undefined) {
      const locked = await lockCall(tx, { callId: known.id });
      if (locked === undefined || !known.inbound) return rejected('voice_disabled');
      if (locked.call.endedBy === 'closed') return sayClosed(tx, workspace, number, from);
      if (locked.call.startedAt === null) return rejected(locked.call.endedBy);
      return instructionsFor(tx, calling, workspace.uuid, locked, now);
    }
    const { outreach } = context;
    const place = { number, carrierCallId: incoming.carrierCallId, from, outreach, now };
    const refusal = await refusalOfIncoming(context, tx, calling, workspace, place);
    if (refusal === 'closed') return reportClosed(tx, workspace, place);
    if (refusal !== undefined) return refuse(tx, place, null, refusal);
    const member = await memberOfCaller(tx, from as string, now);
    if (await isMemberDisabled(tx, member.id)) return refuse(tx, place, member, 'voice_disabled');
    return await take(tx, calling, workspace.uuid, place, member);
  });
}

interface Place {
  number: PhoneNumberRow;
  carrierCallId: string;
  /** Null: withheld. */
  from: string | null;
  outreach: Outreach;
  now: Date;
}

async function refusalOfIncoming(
  { db }: ServiceContext,
  tx: Tx,
  { isAvailable }: Calling,
  workspace: WorkspaceRow,
  { number, from, now }: Place,
): Promise<EndedBy | undefined> {
  if (!number.voiceEnabled || !isAvailable) return 'voice_disabled';
  if (from === null) return 'anonymous_rejected';
  // Two agents of the service would talk with each other.
  if ((await db.identity.phoneNumberRoutes.find(from, tx)) !== undefined) return 'voice_disabled';
  const bounds = { since: new Date(now.getTime() - hourMs), most: maxCallsOfCallerAnHour };
  if ((await countCallsFrom(tx, from, bounds)) >= maxCallsOfCallerAnHour) return 'busy';
  if (isClosed(workspace, number, now)) return (await isTooOftenClosed(tx, number, now)) ? 'busy' : 'closed';
  return (await findSpentMonth(tx, now)) === undefined ? undefined : 'voice_disabled';
}

async function take(
  tx: Tx,
  calling: Calling,
  workspaceUuid: string,
  place: Place,
  member: MemberRow,
): Promise<CallInstruction[]> {
  const { now } = place;
  const chat = (await chatToReturnTo(tx, place, member)) ?? (await openVoiceChat(tx, member, place));
  if ((await findOpenCall(tx, chat.id)) !== undefined) return refuse(tx, place, member, 'busy');
  if (!agentMaySpeak(chat)) {
    await alertColleague(tx, chat, whyUnanswered(chat));
    return refuse(tx, place, member, 'handoff', chat);
  }
  const call = await insertPhoneCall(tx, { ...newCall(place, member), chatId: chat.id, dialedAt: now });
  const answered = await markAnswered(tx, { call, chat }, now);
  await startCallRun(tx, chat, answered);
  return instructionsFor(tx, calling, workspaceUuid, { call: answered, chat }, now);
}

function newCall({ number, carrierCallId, from, now }: Place, member: MemberRow | null): NewPhoneCall {
  return {
    phoneNumberId: number.id,
    memberId: member?.id ?? null,
    inbound: true,
    begunBy: 'caller',
    remoteNumber: from,
    carrierCallId,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * The chat in which the number was called last, unless it was archived since, or is that of the member who had the number
 * before. Locked.
 */
async function chatToReturnTo(
  tx: Tx,
  { number, from, now }: Place,
  member: MemberRow,
): Promise<ChatRow | undefined> {
  if (from === null) return undefined;
  const since = new Date(now.getTime() - callBackWithinMs);
  const latest = await findReturnedCall(tx, { remoteNumber: from, phoneNumberId: number.id, since });
  const chat = latest?.chatId ? await lockChat(tx, latest.chatId) : undefined;
  return chat === undefined || chat.archived || chat.memberId !== member.id ? undefined : chat;
}

async function openVoiceChat(tx: Tx, member: MemberRow, { number, outreach, now }: Place): Promise<ChatRow> {
  const place = {
    channel: 'phone-voice',
    memberId: member.id,
    phoneNumberId: number.id,
    definitionId: number.inboundDefinitionId,
  } as const;
  return openInboundChat(tx, place, { outreach, now });
}

/** Records a call outside of business hours, which is answered by a sentence alone. The agent is not asked, and no member is made. */
async function reportClosed(tx: Tx, workspace: WorkspaceRow, place: Place): Promise<CallInstruction[]> {
  const { number, from, now } = place;
  const member = from === null ? undefined : await findMemberByPhone(tx, from);
  const call = await insertPhoneCall(tx, { ...newCall(place, member ?? null), startedAt: now });
  const end = { endedBy: 'closed', blockedReason: 'closed', learntBy: 'run' } as const;
  await finishCall(tx, { call, chat: undefined }, end, now);
  await patchPhoneCall(tx, call.id, { settledAt: now, updatedAt: now });
  return sayClosed(tx, workspace, number, from);
}

/** Records a call that is not taken. It has no run: it has ended, and costs nothing. */
async function refuse(
  tx: Tx,
  place: Place,
  member: MemberRow | null,
  endedBy: EndedBy,
  chat?: ChatRow,
): Promise<CallInstruction[]> {
  const { now } = place;
  const call = await insertPhoneCall(tx, { ...newCall(place, member), chatId: chat?.id ?? null });
  await finishCall(tx, { call, chat }, { endedBy, learntBy: 'run' }, now);
  await patchPhoneCall(tx, call.id, { settledAt: now, updatedAt: now });
  return rejected(endedBy);
}

function rejected(endedBy: string | null): CallInstruction[] {
  return [{ do: 'reject', reason: endedBy === 'busy' ? 'busy' : 'rejected' }];
}
