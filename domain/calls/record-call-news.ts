import { findPhoneCallAtCarrier, type PhoneCallRow, patchPhoneCall } from '../../db/calls/phone-calls.js';
import type { ChatRow } from '../../db/conversations/chats.js';
import type { Tx } from '../../db/tx.js';
import { callStartedEvent } from '../kernel/events/call-events.js';
import { writeEvents } from '../kernel/events/write-events.js';
import { pokeCallRun, pokeChatRun } from '../kernel/runs.js';
import type { EndedBy } from './call-endings.js';
import { callStatusOf, isFinal, isLater } from './call-statuses.js';
import { faxDetailOf } from './fax-details.js';
import { finishCall } from './finish-call.js';
import type { LockedCall } from './lock-call.js';
import { voidNotice } from './recordings/consent.js';

/** What the carrier says of a call. */
export interface CallNews {
  /** In its words. */
  status: string;
  carrierCallId: string;
  durationSeconds?: number | undefined;
  learntBy: 'run' | 'callback';
}

/**
 * Takes in what the carrier reports, late, twice and out of order: nothing leads back, and the first end stays. What is said of
 * another call than this one is ignored.
 * @returns the call as it is now
 */
export async function recordCallNews(
  tx: Tx,
  locked: LockedCall,
  { status: word, carrierCallId, durationSeconds, learntBy }: CallNews,
  now: Date,
): Promise<PhoneCallRow> {
  const status = callStatusOf(word);
  const known = await identify(tx, locked.call, carrierCallId, now);
  if (status === undefined || known === undefined) return locked.call;
  const current = { ...locked, call: known };
  if (isFinal(status)) {
    return finishCall(tx, current, { carrierStatus: status, durationSeconds, learntBy }, now);
  }
  if (known.finishedAt !== null || !isLater(status, known.status)) return known;
  if (status === 'in-progress') return markAnswered(tx, current, now);
  return patchPhoneCall(tx, known.id, { status, updatedAt: now });
}

/** A call whose dialling had no result gets its id by the first report. @returns undefined if another call is meant */
async function identify(
  tx: Tx,
  call: PhoneCallRow,
  carrierCallId: string,
  now: Date,
): Promise<PhoneCallRow | undefined> {
  if (call.carrierCallId !== null) return call.carrierCallId === carrierCallId ? call : undefined;
  if (call.attempts === 0 || (await findPhoneCallAtCarrier(tx, carrierCallId)) !== undefined)
    return undefined;
  const isOpen = call.finishedAt === null;
  return patchPhoneCall(tx, call.id, {
    carrierCallId,
    dialedAt: call.dialedAt ?? now,
    outcomeUnknown: false,
    // It was taken to be the reason why there is no id.
    ...(isOpen && call.failureDetail === 'bridge_call_create_missing_sid' ? { failureDetail: null } : {}),
    updatedAt: now,
  });
}

/** Records that a call was answered, once. The assistant of the chat speaks in it from then on. */
export async function markAnswered(tx: Tx, { call, chat }: LockedCall, now: Date): Promise<PhoneCallRow> {
  if (call.finishedAt !== null || call.startedAt !== null) return call;
  const answered = await patchPhoneCall(tx, call.id, {
    status: 'in-progress',
    startedAt: now,
    agentMemberId: chat === undefined ? null : agentOf(chat),
    updatedAt: now,
  });
  if (chat === undefined) return answered;
  await writeEvents(tx, [callStartedEvent(chat, answered)], now);
  await pokeChatRun(tx, chat);
  return answered;
}

function agentOf({ assistantEnabled, assistantMemberId }: ChatRow): number | null {
  return assistantEnabled ? assistantMemberId : null;
}

/**
 * Takes in what the carrier has heard at the other end, the first time. A machine and a fax end our part of the call; what is
 * unknown may well be a person, who is spoken with.
 */
export async function recordAnsweredBy(
  tx: Tx,
  { call, chat }: LockedCall,
  answeredBy: string,
  now: Date,
): Promise<void> {
  if (call.answeredBy !== null) return;
  const ended = call.finishedAt === null && call.endedBy === null ? endedByWhat(answeredBy) : undefined;
  await patchPhoneCall(tx, call.id, {
    answeredBy,
    ...(ended === undefined ? {} : { endedBy: ended }),
    ...(ended === 'fax' ? { failureDetail: call.failureDetail ?? faxDetailOf('t30_failed') } : {}),
    updatedAt: now,
  });
  if (answeredBy !== 'human' && answeredBy !== 'unknown') await voidNotice(tx, call, now);
  if (ended !== undefined && chat !== undefined) await pokeCallRun(tx, chat, call);
}

function endedByWhat(answeredBy: string): EndedBy | undefined {
  if (answeredBy === 'fax') return 'fax';
  return answeredBy.startsWith('machine_') ? 'voicemail' : undefined;
}

/** Records what ends our part of a call, the first time; the carrier is then told, and reports the end. */
export async function endOurPart(
  tx: Tx,
  { call }: Pick<LockedCall, 'call'>,
  endedBy: EndedBy,
  now: Date,
): Promise<PhoneCallRow> {
  if (call.finishedAt !== null || call.endedBy !== null) return call;
  return patchPhoneCall(tx, call.id, { endedBy, updatedAt: now });
}
