import {
  countHeldBridges,
  endEarlierBridges,
  endLostBridges,
  findLatestBridge,
  lockCallBridge,
  patchCallBridge,
} from '../../../db/calls/call-bridges.js';
import { lockSubject } from '../../../db/lock-subject.js';
import type { Tx } from '../../../db/tx.js';
import type { ServiceContext } from '../../kernel/context.js';
import { leaseMs } from '../call-times.js';
import { lockCall } from '../lock-call.js';
import { mayRecord } from '../recordings/consent.js';
import { openRecording, type RecordingPlace } from '../recordings/open-recording.js';
import type { StreamTokens } from '../stream-tokens.js';

/** What the carrier's `start` says. */
export interface BeginningStream {
  /** False: the carrier writes down what is said, so that there is nothing to record. Absent: it has. */
  hasSound?: boolean;
  streamId: string;
  carrierCallId: string;
  parameters: Readonly<Record<string, string>>;
}

export interface StreamAdmission {
  tokens: StreamTokens;
  /** Of the process that holds the socket. */
  processId: string;
  /** How many calls of a workspace may be up at once, in all processes. */
  callsPerWorkspace: number;
}

/** A stream that this process holds from now on. */
export interface AdmittedStream {
  workspaceId: number;
  workspaceUuid: string;
  chatId: number;
  callId: number;
  attempt: number;
  bridgeId: number;
  /** For how long the call has been in progress. */
  answeredForMs: number;
  /** Undefined: the workspace does not record calls, the caller was not told or has not agreed, or the stream has no sound. */
  recording: RecordingPlace | undefined;
}

export type AdmissionRefusal =
  | 'unknown_call'
  | 'wrong_token'
  | 'token_used'
  | 'call_of_another'
  | 'call_over'
  | 'workspace_full';

/** Long after a lease: a process that could not renew it for so long has died. */
const lostAfterMs = 10 * 60_000;

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Gives a beginning stream the lease of its call: once for each token, of the newest attempt only, and to the call at the
 * carrier that the token was made for. Attempts before it are over.
 */
export async function admitStream(
  { db, clock }: ServiceContext,
  stream: BeginningStream,
  { tokens, processId, callsPerWorkspace }: StreamAdmission,
): Promise<AdmittedStream | { refused: AdmissionRefusal }> {
  const { workspace: workspaceUuid = '', call: callUuid = '', token = '' } = stream.parameters;
  if (!uuidForm.test(workspaceUuid) || !uuidForm.test(callUuid)) return { refused: 'unknown_call' };
  const workspace = await db.identity.workspaces.findByUuid(workspaceUuid);
  if (workspace === undefined) return { refused: 'unknown_call' };
  const now = clock.now();
  return db.inWorkspace(workspace.id, async (tx) => {
    const locked = await lockCall(tx, { callUuid });
    if (locked?.chat === undefined) return { refused: 'unknown_call' };
    const { call, chat } = locked;
    const latest = await findLatestBridge(tx, call.id);
    const bridge = latest && (await lockCallBridge(tx, call.id, latest.attempt));
    if (bridge === undefined) return { refused: 'unknown_call' };
    const { attempt } = bridge;
    if (!tokens.isFor(token, { workspaceUuid, callUuid, attempt })) return { refused: 'wrong_token' };
    if (bridge.beganAt !== null) return { refused: 'token_used' };
    if (call.carrierCallId !== stream.carrierCallId) return { refused: 'call_of_another' };
    if (call.finishedAt !== null) return { refused: 'call_over' };
    if (!(await hasPlace(tx, callsPerWorkspace, now))) return { refused: 'workspace_full' };
    await endEarlierBridges(tx, call.id, attempt, now);
    const { streamId } = stream;
    await patchCallBridge(tx, bridge.id, { processId, streamId, beganAt: now, heartbeatAt: now });
    const { hasSound = true } = stream;
    const isRecorded = hasSound && workspace.recordCalls && (await mayRecord(tx, call, now));
    const recording = isRecorded ? await openRecording(tx, { callId: call.id, attempt }, now) : undefined;
    const { id: workspaceId } = workspace;
    return {
      workspaceId,
      workspaceUuid,
      chatId: chat.id,
      callId: call.id,
      attempt,
      bridgeId: bridge.id,
      answeredForMs: Math.max(0, now.getTime() - (call.startedAt ?? now).getTime()),
      recording,
    };
  });
}

/** Streams that begin at once take turns, so that none of them is counted twice or not at all. */
async function hasPlace(tx: Tx, most: number, now: Date): Promise<boolean> {
  await lockSubject(tx, 'places of calls');
  await endLostBridges(tx, new Date(now.getTime() - lostAfterMs), now);
  return (await countHeldBridges(tx, new Date(now.getTime() - leaseMs))) < most;
}
