import {
  type CallBridgeRow,
  findLatestBridge,
  insertCallBridge,
  selectBridgesOfCall,
} from '../../../db/calls/call-bridges.js';
import {
  findPhoneCall,
  type PhoneCallRow,
  patchPhoneCall,
  type SpokenWords,
} from '../../../db/calls/phone-calls.js';
import { findAssistantForChat } from '../../../db/conversations/assistants.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import { findParticipant } from '../../../db/conversations/participants.js';
import { publicPathOf } from '../../../db/identity/organizations.js';
import { findMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { callbackAddress, carrierBase } from '../../calls/call-addresses.js';
import type { EndedBy } from '../../calls/call-endings.js';
import type { CallInstruction } from '../../calls/call-instructions.js';
import type { LockedCall } from '../../calls/lock-call.js';
import { endOurPart } from '../../calls/record-call-news.js';
import { type Notice, noticeBefore } from '../../calls/recordings/consent.js';
import type { StreamPlace } from '../../calls/stream-tokens.js';
import { agentMaySpeak } from '../../kernel/agent-due.js';
import type { ModelCatalogue } from '../../kernel/ai-models/model-catalogue.js';
import { carrierLanguage } from '../../lib/locales.js';
import type { Calling } from './calling.js';
import { leaveVoicemail } from './leave-voicemail.js';
import { dialTransfer } from './transfer-call.js';

const hangUp: CallInstruction[] = [{ do: 'hang_up' }];

/** How often a stream is opened in one call: each loss costs some seconds of silence. */
const maxStreams = 10;
/** For how long a stream is awaited that the carrier was told to open. */
const beginWithinMs = 45_000;
/** Pause before a stream is opened again that did not begin. */
const pauseSeconds = 2;
/** A model that is lost so soon after the stream began is not tried again: for long the caller has heard nothing. */
const modelLostWithinMs = { first: 30_000, again: 120_000 };

/** What the carrier tells when it asks. */
export interface Asking {
  /** The session of text has failed, or could not begin, as in a language that the carrier does not speak. */
  sessionFailed?: boolean;
  /** It has done what it was told before. */
  hasFollowed?: boolean;
}

/**
 * Answers the carrier, which asks what a call is to do now: to open the stream, again after it was lost, or to hang up because
 * our part is over. The same however often it is asked until the stream begins.
 */
export async function instructionsFor(
  tx: Tx,
  installed: Calling,
  workspaceUuid: string,
  locked: LockedCall,
  now: Date,
  asking: Asking = {},
): Promise<CallInstruction[]> {
  const apiUrl = carrierBase(installed.apiUrl, await publicPathOf(tx, workspaceUuid));
  const calling = { ...installed, apiUrl };
  const { call, chat } = locked;
  if (call.finishedAt !== null || call.hungUpAt !== null) return hangUp;
  if (call.endedBy === 'transfer') {
    const dialled = await dialTransfer(tx, calling, workspaceUuid, locked, now);
    if (dialled !== undefined) return dialled;
    const back = await findPhoneCall(tx, call.id);
    // The safety gate has refused it, and the agent goes on.
    return back?.endedBy === null
      ? instructionsFor(tx, installed, workspaceUuid, { ...locked, call: back }, now)
      : hangUp;
  }
  if (call.endedBy === 'voicemail') {
    // The run leaves the message its time, and does not have the carrier ask again, which would begin it anew.
    if (call.releasedAt === null) await patchPhoneCall(tx, call.id, { releasedAt: now, updatedAt: now });
    return [...(await leaveVoicemail(tx, locked, now)), ...hangUp];
  }
  if (call.endedBy !== null) return hangUp;
  if (chat === undefined || !agentMaySpeak(chat)) return giveUp(tx, locked, 'handoff', now);
  const latest = await findLatestBridge(tx, call.id);
  const reason = await whyNoStream(tx, call, latest, now);
  if (reason !== undefined) return giveUp(tx, locked, reason, now);
  const speaks = await speaksItself(tx, calling.models, chat);
  const at = latest === undefined ? 'first' : asking.hasFollowed === true ? 'after' : 'again';
  const notice: Notice = speaks ? await noticeBefore(tx, call, at, now) : { kind: 'none' };
  if (notice.kind === 'ask')
    return [askToRecord(calling, { workspaceUuid, callUuid: call.uuid }, notice.words)];
  const attempt = latest === undefined ? 1 : latest.attempt + (latest.beganAt === null ? 0 : 1);
  if (attempt !== latest?.attempt) {
    await insertCallBridge(tx, { callId: call.id, attempt, createdAt: now });
  }
  const isRepeated = asking.hasFollowed === true && latest?.beganAt === null && latest.createdAt < now;
  const rest = isRepeated ? ([{ do: 'pause', seconds: pauseSeconds }] as const) : [];
  const place = { workspaceUuid, callUuid: call.uuid, attempt };
  if (speaks) {
    const told = notice.kind === 'tell' ? notice.words : [];
    const said = told.map((words): CallInstruction => ({ do: 'say', ...words }));
    return [...rest, ...said, ...streamFor(calling, place)];
  }
  const isRefused = asking.sessionFailed === true && latest?.beganAt === null;
  const language = isRefused ? undefined : await languageOf(tx, chat);
  return [...rest, relayFor(calling, place, language)];
}

/** How long a key is awaited after the question. */
const answerWithinSeconds = 6;

function askToRecord(
  { apiUrl }: Calling,
  place: Omit<StreamPlace, 'attempt'>,
  words: readonly SpokenWords[],
): CallInstruction {
  const resultUrl = callbackAddress(apiUrl, place, 'recording-consent');
  return { do: 'ask_key', words, seconds: answerWithinSeconds, resultUrl };
}

async function whyNoStream(
  tx: Tx,
  { startedAt }: PhoneCallRow,
  latest: CallBridgeRow | undefined,
  now: Date,
): Promise<EndedBy | undefined> {
  if (latest === undefined) return undefined;
  const { callId, attempt, beganAt, createdAt, endedAt, endReason } = latest;
  if (beganAt === null) {
    // The carrier may have asked long before the call was answered.
    const awaitedSince = Math.max(createdAt.getTime(), startedAt?.getTime() ?? 0);
    return now.getTime() - awaitedSince > beginWithinMs ? 'no_stream' : undefined;
  }
  if (endReason === 'model_lost') {
    const lasted = (endedAt ?? now).getTime() - beganAt.getTime();
    const before = (await selectBridgesOfCall(tx, callId)).at(-2);
    const isAgain = before?.endReason === 'model_lost';
    if (lasted < modelLostWithinMs[isAgain ? 'again' : 'first']) return 'model';
  }
  return attempt >= maxStreams ? 'no_stream' : undefined;
}

async function giveUp(
  tx: Tx,
  locked: Pick<LockedCall, 'call'>,
  endedBy: EndedBy,
  now: Date,
): Promise<CallInstruction[]> {
  await endOurPart(tx, locked, endedBy, now);
  return hangUp;
}

/** The carrier drops the query of an address. */
function parametersOf({ tokens }: Calling, place: StreamPlace): Record<string, string> {
  const { workspaceUuid, callUuid } = place;
  return { workspace: workspaceUuid, call: callUuid, token: tokens.make(place) };
}

/** The carrier writes down what is said, and speaks what a chat model answers. */
function relayFor(calling: Calling, place: StreamPlace, language: string | undefined): CallInstruction {
  return {
    do: 'relay',
    url: calling.streamUrl,
    parameters: parametersOf(calling, place),
    resultUrl: callbackAddress(calling.apiUrl, place, 'continue'),
    ...(language === undefined ? {} : { language }),
  };
}

function streamFor(calling: Calling, place: StreamPlace): CallInstruction[] {
  const { apiUrl, streamUrl } = calling;
  return [
    {
      do: 'stream',
      url: streamUrl,
      parameters: parametersOf(calling, place),
      statusCallback: callbackAddress(apiUrl, place, 'stream-status'),
    },
    { do: 'redirect', url: callbackAddress(apiUrl, place, 'continue') },
  ];
}

/** Whether the carrier means this call: another one with the id of the row was dialled by mistake, and is hung up. */
export function isCallOf({ carrierCallId }: PhoneCallRow, given: string): boolean {
  return carrierCallId === null || carrierCallId === given;
}

export { hangUp };

/** Whether a realtime model can be had for the agent of a chat. Without one, the carrier writes down what is said and speaks. */
async function speaksItself(tx: Tx, models: ModelCatalogue, chat: ChatRow): Promise<boolean> {
  const assistant = await findAssistantForChat(tx, chat);
  const here = assistant === null ? undefined : await findParticipant(tx, chat.id, assistant.memberId);
  const wishes = [here?.realtimeModelId, chat.realtimeModelId, assistant?.realtimeModelId];
  return models.chooseRealtimeModel(wishes) !== undefined;
}

/** The language in which the carrier speaks with a member, as `de-DE`; undefined: the carrier's usual one. */
async function languageOf(tx: Tx, { memberId }: ChatRow): Promise<string | undefined> {
  const locale = (await findMember(tx, memberId))?.locale;
  return locale == null ? undefined : carrierLanguage(locale);
}
