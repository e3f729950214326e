import { removeRecordingOfCall } from '../../../db/calls/call-recordings.js';
import {
  type PhoneCallRow,
  patchPhoneCall,
  type RecordingConsent,
  type SpokenWords,
} from '../../../db/calls/phone-calls.js';
import { recordingSettingsOf } from '../../../db/identity/workspaces.js';
import { findMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { wordsOfNotice } from './notice-words.js';

/** What precedes the first stream of a call. */
export type Notice = { kind: 'none' } | { kind: 'tell' | 'ask'; words: SpokenWords[] };

const none: Notice = { kind: 'none' };

/**
 * What the other side is told or asked before the stream of a call, decided once for each call; the caller has locked it.
 * @param at `first`: no stream was opened yet; `again`: the carrier may be repeating its question; `after`: it has done what it
 * was told, so that the words were spoken
 */
export async function noticeBefore(
  tx: Tx,
  before: PhoneCallRow,
  at: 'first' | 'again' | 'after',
  now: Date,
): Promise<Notice> {
  const call = at === 'first' && before.recordingConsent === null ? await decide(tx, before, now) : before;
  const { recordingNotice: words, recordingConsent: consent, recordingNoticedAt: noticedAt } = call;
  if (words === null) return none;
  if (consent === 'asked') return { kind: 'ask', words };
  if (consent !== 'told' || noticedAt !== null) return none;
  if (at !== 'after') return { kind: 'tell', words };
  await patchPhoneCall(tx, call.id, { recordingNoticedAt: now, updatedAt: now });
  return none;
}

async function decide(tx: Tx, call: PhoneCallRow, now: Date): Promise<PhoneCallRow> {
  const settings = await recordingSettingsOf(tx);
  if (settings?.recordCalls !== true) return call;
  const member = call.memberId === null ? undefined : await findMember(tx, call.memberId);
  return patchPhoneCall(tx, call.id, {
    recordingNotice: wordsOfNotice(settings, member?.locale ?? null),
    recordingConsent: settings.recordingConsent === 'ask' ? 'asked' : 'told',
    updatedAt: now,
  });
}

/** The key that agrees to a recording. */
const agreeingKey = '1';

/** Records the answer to the question, the first time. @param keys empty: none was pressed */
export async function recordConsent(
  tx: Tx,
  call: PhoneCallRow,
  keys: string,
  now: Date,
): Promise<PhoneCallRow> {
  if (call.recordingConsent !== 'asked') return call;
  const answered: RecordingConsent = keys === agreeingKey ? 'agreed' : 'refused';
  return patchPhoneCall(tx, call.id, {
    recordingConsent: keys === '' ? 'unanswered' : answered,
    recordingNoticedAt: now,
    updatedAt: now,
  });
}

/** Whether a stream that begins now may be recorded, for all that its caller was told or has said. */
export async function mayRecord(tx: Tx, call: PhoneCallRow, now: Date): Promise<boolean> {
  if (call.recordingConsent === 'agreed') return true;
  if (call.recordingConsent !== 'told') return false;
  // The stream follows the words.
  if (call.recordingNoticedAt === null) {
    await patchPhoneCall(tx, call.id, { recordingNoticedAt: now, updatedAt: now });
  }
  return true;
}

/** What a machine has heard counts for nothing: what was recorded of it is deleted. */
export async function voidNotice(tx: Tx, call: PhoneCallRow, now: Date): Promise<void> {
  if (call.recordingConsent !== 'told' && call.recordingConsent !== 'asked') return;
  await patchPhoneCall(tx, call.id, { recordingConsent: 'machine', updatedAt: now });
  await removeRecordingOfCall(tx, call.id);
}
