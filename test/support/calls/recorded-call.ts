import { randomUUID } from 'node:crypto';
import { type AdmittedStream, admitStream } from '../../../domain/calls/bridges/admit-stream.js';
import type { RecordingPlace } from '../../../domain/calls/recordings/open-recording.js';
import { systemClock } from '../../../domain/lib/clock.js';
import { SegmentKeeper } from '../../../media/recorder/segment-keeper.js';
import type { Storage } from '../../../providers/storage/storage.js';
import type { TestWorkspace } from '../workspace/factories.js';
import { type AnsweredCall, answeredCall, tokens } from './answered-call.js';

/** A part of a recording: its beginning, in frames, and its bytes, two of which are a frame. */
export interface Sound {
  startFrame: number;
  bytes: Buffer;
}

export interface RecordedCall extends AnsweredCall {
  recording: RecordingPlace;
  /** Stores another part. */
  add(sound: Sound): Promise<void>;
}

/** A call whose recording has these parts. */
export async function recordedCall(
  workspace: TestWorkspace,
  storage: Pick<Storage, 'receive' | 'put'>,
  sounds: readonly Sound[],
  options: Parameters<typeof answeredCall>[1] = {},
): Promise<RecordedCall> {
  const context = { db: workspace.database, clock: systemClock };
  const call = await answeredCall(workspace, options);
  const admission = { tokens, processId: randomUUID(), callsPerWorkspace: 1_000 };
  const { recording, attempt } = (await admitStream(context, call.start(), admission)) as AdmittedStream;
  if (recording === undefined) throw new Error('the call is not recorded');
  const lost = (_: unknown, code: string) => {
    throw new Error(`a part of the recording is lost: ${code}`);
  };
  const keeper = new SegmentKeeper({ context, storage, onLost: lost, onStored: () => {}, delaysMs: [] });
  const { workspaceId, workspaceUuid } = workspace;
  const place = { workspaceId, workspaceUuid, recordingId: recording.id, attempt, startFrame: 0 };
  let number = 0;
  const add = async ({ startFrame: start, bytes }: Sound) => {
    number += 1;
    await keeper.keep(place, { number, start, frames: bytes.length / 2, bytes });
  };
  for (const sound of sounds) await add(sound);
  return { ...call, recording, add };
}
