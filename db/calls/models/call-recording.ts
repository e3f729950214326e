import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** The recording of a call: both sides of all of its streams. */
export class CallRecordingModel extends tenantTable('call_recordings', {
  /** The `audioFileUuid` of what was said. */
  uuid: column<string>(),
  callId: column<number>(),
  /** The beginning of the first stream, from which times in the recording count. */
  beginsAt: column<Date>(),
}) {}

export type CallRecordingRow = RowOf<CallRecordingModel>;

/** A part of a recording, in an object of its own. */
export class CallRecordingSegmentModel extends tenantTable('call_recording_segments', {
  recordingId: column<number>(),
  /** Of the bridge, and its number among the segments of that: a repetition is found by both. */
  attempt: column<number>(),
  number: column<number>(),
  /** From the beginning of the recording. A frame is a byte of each channel; 8,000 of them are a second. */
  startFrame: column<number>(),
  frames: column<number>(),
  objectId: column<number>(),
}) {}

export type CallRecordingSegmentRow = RowOf<CallRecordingSegmentModel>;
