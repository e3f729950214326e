import { createHash } from 'node:crypto';
import type { StoredSegment } from '../../../db/calls/call-recordings.js';
import { frameBytes, wavHeader, wavHeaderBytes } from './wav.js';

/** The bytes of a recording's file that stand in a row, from `start` up to `end`. */
interface Part {
  start: number;
  end: number;
  /** Undefined: silence. */
  object: { uuid: string; offset: number } | undefined;
}

/** The file of a recording as it is at a moment. */
export interface RecordingFile {
  /** Of the whole file. */
  bytes: number;
  /** Hexadecimal: says which bytes these are. */
  sha256: string;
  header: Buffer;
  parts: readonly Part[];
}

/**
 * Places segments, which are in the order of their sound, in one file: what is missing between them is silence, and what
 * two streams both have, as one ends while the next has begun, is that of the first.
 */
export function assembleRecording(segments: readonly StoredSegment[]): RecordingFile {
  const parts: Part[] = [];
  const hash = createHash('sha256');
  let frame = 0;
  const place = (start: number, end: number, object: Part['object']) => {
    parts.push({ start: byteOf(start), end: byteOf(end), object });
  };
  for (const { startFrame, frames, objectUuid } of segments) {
    const end = startFrame + frames;
    if (end <= frame) continue;
    const start = Math.max(startFrame, frame);
    if (start > frame) place(frame, start, undefined);
    place(start, end, { uuid: objectUuid, offset: (start - startFrame) * frameBytes });
    // Objects never change.
    hash.update(`${start} ${end} ${objectUuid}\n`);
    frame = end;
  }
  return { bytes: byteOf(frame), sha256: hash.digest('hex'), header: wavHeader(frame), parts };
}

const byteOf = (frame: number) => wavHeaderBytes + frame * frameBytes;
