import { Readable } from 'node:stream';
import { demo } from '../../../api/http/demo.js';
import { insertCallRecording } from '../../../db/calls/call-recordings.js';
import { doomPendingObject, type StoredObjectRow } from '../../../db/files/stored-objects.js';
import { keepSegment, reserveSegment, segmentType } from '../../../domain/calls/recordings/keep-segment.js';
import { framesPerSecond, silenceByte } from '../../../domain/calls/recordings/wav.js';
import { objectKey } from '../../../domain/files/object-store.js';
import type { FileStorage } from '../../../domain/files/objects/file-storage.js';
import type { CommandContext } from '../../../domain/kernel/context.js';

const seconds = 2;
/** Half a wave of a quiet tone of 400 Hz, in µ-law. */
const [halfWave, high, low] = [10, 0xb0, 0x30];

/** Stores the sound of the call that the examples name: a tone on the caller's channel. */
export async function storeExampleRecording(
  context: CommandContext,
  { objects }: FileStorage,
): Promise<StoredObjectRow> {
  const { workspaceId, workspaceUuid } = context.actor;
  const bytes = Buffer.alloc(2 * seconds * framesPerSecond, silenceByte);
  for (let frame = 0; 2 * frame < bytes.length; frame += 1) {
    bytes[2 * frame] = Math.floor(frame / halfWave) % 2 === 0 ? high : low;
  }
  const spooled = await objects.receive(Readable.from([bytes]), { maxBytes: bytes.length });
  const object = await reserveSegment(context, workspaceId, spooled);
  await objects.put(objectKey(workspaceUuid, object.uuid), spooled, { mimeType: segmentType });
  return object;
}

export async function dropExampleRecording(
  { db, clock, actor }: CommandContext,
  { id }: StoredObjectRow,
): Promise<void> {
  await db.inWorkspace(actor.workspaceId, (tx) => doomPendingObject(tx, id, clock.now()));
}

/** Makes the sound the recording of the call. */
export async function keepExampleRecording(context: CommandContext, { id }: StoredObjectRow): Promise<void> {
  const { db, clock, actor } = context;
  const { workspaceId } = actor;
  const recording = await db.inWorkspace(workspaceId, (tx) =>
    insertCallRecording(tx, { callId: demo.phoneCallId, beginsAt: clock.now() }),
  );
  const frames = seconds * framesPerSecond;
  const place = { recordingId: recording.id, attempt: 1, number: 1, startFrame: 0, frames };
  await keepSegment(context, { workspaceId, ...place }, id);
}
