import { findBridgeOfStream, patchCallBridge } from '../../../db/calls/call-bridges.js';
import { findPhoneCall, findPhoneCallAtCarrier } from '../../../db/calls/phone-calls.js';
import type { Tx } from '../../../db/tx.js';
import type { CallInstruction } from '../../calls/call-instructions.js';
import { callStatusOf, isFinal } from '../../calls/call-statuses.js';
import { type CallName, type LockedCall, lockCall } from '../../calls/lock-call.js';
import { type CallNews, recordAnsweredBy, recordCallNews } from '../../calls/record-call-news.js';
import { recordConsent } from '../../calls/recordings/consent.js';
import { recordDialResult } from '../../calls/transfers/answer-transfer.js';
import type { ServiceContext } from '../../kernel/context.js';
import { type Asking, hangUp, instructionsFor, isCallOf } from './answer-call.js';
import type { Calling } from './calling.js';
import { announceTransfer } from './transfer-call.js';

/*
 * What the carrier asks and reports about calls: late, twice and out of order. Unknown calls get an answer that ends them, since
 * an error would be read out to the person at the other end.
 */

export interface CarrierCallName {
  workspaceUuid: string;
  callUuid: string;
  carrierCallId: string;
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Runs `work` with the call locked; returns undefined for a call that there is not, or that the carrier does not mean. */
async function withCall<Result>(
  { db, clock }: ServiceContext,
  { workspaceUuid, carrierCallId, ...name }: { workspaceUuid: string; carrierCallId: string } & CallName,
  work: (tx: Tx, locked: LockedCall, now: Date) => Promise<Result>,
): Promise<Result | undefined> {
  const uuids = [workspaceUuid, ...('callUuid' in name ? [name.callUuid] : [])];
  if (!uuids.every((uuid) => uuidForm.test(uuid))) return undefined;
  const workspace = await db.identity.workspaces.findByUuid(workspaceUuid);
  if (workspace === undefined) return undefined;
  const now = clock.now();
  return db.inWorkspace(workspace.id, async (tx) => {
    const locked = await lockCall(tx, name);
    if (locked === undefined || !isCallOf(locked.call, carrierCallId)) return undefined;
    return work(tx, locked, now);
  });
}

export interface AnsweredCall {
  workspaceUuid: string;
  phoneNumberId: number;
  chatId: number;
  callId: number;
  carrierCallId: string;
  /** In the carrier's words; one that asks ahead of the answer says so. */
  status: string;
}

/** Answers the carrier when an outgoing call is answered: the call is in progress from then on. Safe to repeat. */
export async function answerOutgoingCall(
  context: ServiceContext,
  calling: Calling,
  { phoneNumberId, chatId, status, ...answered }: AnsweredCall,
): Promise<CallInstruction[]> {
  const { workspaceUuid, carrierCallId } = answered;
  const instructions = await withCall(context, answered, async (tx, locked, now) => {
    const { call } = locked;
    if (call.inbound || call.chatId !== chatId || call.phoneNumberId !== phoneNumberId) return hangUp;
    const news = { status, carrierCallId, learntBy: 'callback' } as const;
    const known = await recordCallNews(tx, locked, news, now);
    if (known.carrierCallId !== carrierCallId) return hangUp;
    return instructionsFor(tx, calling, workspaceUuid, { ...locked, call: known }, now);
  });
  return instructions ?? hangUp;
}

/**
 * Answers the carrier after a stream was closed, or when the run has it ask. After a session of text it also asks when the person
 * has hung up.
 */
export async function continueCall(
  context: ServiceContext,
  calling: Calling,
  { status, sessionFailed, ...name }: CarrierCallName & Asking & { status?: string | undefined },
): Promise<CallInstruction[]> {
  const known = status === undefined ? undefined : callStatusOf(status);
  if (known !== undefined && isFinal(known)) return hangUp;
  const asking = { hasFollowed: true, ...(sessionFailed === undefined ? {} : { sessionFailed }) };
  const instructions = await withCall(context, name, (tx, locked, now) =>
    instructionsFor(tx, calling, name.workspaceUuid, locked, now, asking),
  );
  return instructions ?? hangUp;
}

/** Answers the carrier after it has asked whether the call may be recorded: the call goes on. @param keys empty: none was pressed */
export async function receiveRecordingConsent(
  context: ServiceContext,
  calling: Calling,
  { status, keys, ...name }: CarrierCallName & { status?: string | undefined; keys: string },
): Promise<CallInstruction[]> {
  const known = status === undefined ? undefined : callStatusOf(status);
  if (known !== undefined && isFinal(known)) return hangUp;
  const instructions = await withCall(context, name, async (tx, locked, now) => {
    const call = await recordConsent(tx, locked.call, keys, now);
    return instructionsFor(tx, calling, name.workspaceUuid, { ...locked, call }, now);
  });
  return instructions ?? hangUp;
}

/** Answers the carrier after the phone that a transfer has dialled was hung up, or did not answer. */
export async function receiveDialResult(
  context: ServiceContext,
  calling: Calling,
  {
    transferUuid,
    word,
    isJoined,
    ...name
  }: CarrierCallName & { transferUuid: string; word: string; isJoined?: boolean | undefined },
): Promise<CallInstruction[]> {
  if (!uuidForm.test(transferUuid)) return hangUp;
  const instructions = await withCall(context, name, async (tx, locked, now) => {
    const transfer = await recordDialResult(tx, locked.call, { transferUuid, word, isJoined }, now);
    if (transfer === undefined || transfer.state === 'answered') return hangUp;
    const call = await findPhoneCall(tx, locked.call.id);
    if (call === undefined) return hangUp;
    return instructionsFor(tx, calling, name.workspaceUuid, { ...locked, call }, now);
  });
  return instructions ?? hangUp;
}

/** Answers what the person hears who takes a transfer. `carrierCallId` is that of the call that is transferred. */
export async function receiveAnnouncementRequest(
  context: ServiceContext,
  { transferUuid, ...name }: CarrierCallName & { transferUuid: string },
): Promise<CallInstruction[]> {
  if (!uuidForm.test(transferUuid)) return [];
  return (await withCall(context, name, (tx, locked) => announceTransfer(tx, locked, transferUuid))) ?? [];
}

/** Records a status of a call. One of an attempt that is not the current one is ignored. */
export async function receiveCallStatus(
  context: ServiceContext,
  {
    attempt,
    status,
    durationSeconds,
    ...name
  }: CarrierCallName & { attempt?: number | undefined; status: string; durationSeconds?: number | undefined },
): Promise<void> {
  if (callStatusOf(status) === undefined) return;
  await withCall(context, name, async (tx, locked, now) => {
    if (attempt !== undefined && locked.call.attempts !== attempt) return;
    const { carrierCallId } = name;
    await recordCallNews(tx, locked, { status, carrierCallId, durationSeconds, learntBy: 'callback' }, now);
  });
}

/**
 * Records the status of an incoming call, for which the carrier has one address for all calls of a number: the call is found by
 * the carrier's id.
 */
export async function receiveStatusOfNumber(
  { db, clock }: ServiceContext,
  { to, carrierCallId, status, durationSeconds }: { to: string } & Omit<CallNews, 'learntBy'>,
): Promise<void> {
  const route = await db.identity.phoneNumberRoutes.find(to);
  if (route === undefined || callStatusOf(status) === undefined) return;
  const now = clock.now();
  await db.inWorkspace(route.workspaceId, async (tx) => {
    const found = await findPhoneCallAtCarrier(tx, carrierCallId);
    const locked = found?.inbound === true ? await lockCall(tx, { callId: found.id }) : undefined;
    // A refused call has ended for us, and never began.
    if (locked === undefined || locked.call.startedAt === null) return;
    await recordCallNews(tx, locked, { status, carrierCallId, durationSeconds, learntBy: 'callback' }, now);
  });
}

/** Records whether a person or a machine has answered. */
export async function receiveMachineDetection(
  context: ServiceContext,
  { answeredBy, ...name }: CarrierCallName & { answeredBy: string },
): Promise<void> {
  await withCall(context, name, (tx, locked, now) => recordAnsweredBy(tx, locked, answeredBy, now));
}

/** Records that the carrier had an error with a stream. What else it says of streams, their process knows. */
export async function receiveStreamStatus(
  context: ServiceContext,
  { streamId, event, ...name }: CarrierCallName & { streamId: string; event: string },
): Promise<void> {
  if (event !== 'stream-error') return;
  await withCall(context, name, async (tx, { call }) => {
    const bridge = await findBridgeOfStream(tx, call.id, streamId);
    if (bridge === undefined || (bridge.endReason !== null && bridge.endReason !== 'closed')) return;
    await patchCallBridge(tx, bridge.id, { endReason: 'stream_error' });
  });
}
