import {
  type CallRecordingRow,
  findRecordingOfCall,
  insertCallRecording,
} from '../../../db/calls/call-recordings.js';
import type { Tx } from '../../../db/tx.js';

/** Where a stream is recorded. */
export interface RecordingPlace {
  id: number;
  uuid: string;
  /** Milliseconds from the beginning of the recording to that of the stream. */
  streamBeganMs: number;
}

/**
 * The recording of a call in which a stream begins: that of its first stream, or a new one with this. The caller has
 * locked the call, and is not called again for a recording that was deleted: the call has begun before its erasure.
 */
export async function openRecording(
  tx: Tx,
  { callId, attempt }: { callId: number; attempt: number },
  now: Date,
): Promise<RecordingPlace | undefined> {
  const found = await findRecordingOfCall(tx, callId);
  const recording = found ?? (attempt === 1 ? await begin(tx, callId, now) : undefined);
  if (recording === undefined) return undefined;
  const { id, uuid, beginsAt } = recording;
  return { id, uuid, streamBeganMs: Math.max(0, now.getTime() - beginsAt.getTime()) };
}

function begin(tx: Tx, callId: number, now: Date): Promise<CallRecordingRow> {
  return insertCallRecording(tx, { callId, beginsAt: now });
}
