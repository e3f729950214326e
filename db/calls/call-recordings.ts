import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import {
  CallRecordingModel,
  type CallRecordingRow,
  type CallRecordingSegmentRow,
} from './models/call-recording.js';

export type { CallRecordingRow, CallRecordingSegmentRow } from './models/call-recording.js';

/** The recording of a call; undefined: there is none yet, or it was deleted. */
export async function findRecordingOfCall(tx: Tx, callId: number): Promise<CallRecordingRow | undefined> {
  return CallRecordingModel.first(tx, 'call_id = ?', [callId]);
}

export async function insertCallRecording(
  tx: Tx,
  values: Pick<CallRecordingRow, 'callId' | 'beginsAt'>,
): Promise<CallRecordingRow> {
  return CallRecordingModel.insert(tx, values);
}

/** Whether the recording is there, and whether it has that segment. */
export async function findRecordingSegment(
  tx: Tx,
  { recordingId, attempt, number }: Pick<CallRecordingSegmentRow, 'recordingId' | 'attempt' | 'number'>,
): Promise<{ hasSegment: boolean } | undefined> {
  const [row] = await prepared<{ hasSegment: boolean }>(
    tx,
    `select exists (select from call_recording_segments
       where recording_id = r.id and attempt = ? and number = ?) as "hasSegment"
     from call_recordings r where id = ?`,
    [attempt, number, recordingId],
  );
  return row;
}

/**
 * Inserts a segment and marks its pending object as stored, unless the recording is gone or has the segment. One statement,
 * because each call of a media process does this twice a minute.
 * @returns false: nothing was changed
 */
export async function storeRecordingSegment(
  tx: Tx,
  segment: Omit<CallRecordingSegmentRow, 'id' | 'workspaceId'>,
  now: Date,
): Promise<boolean> {
  const { recordingId, attempt, number, startFrame, frames, objectId } = segment;
  const rows = await prepared(
    tx,
    `with recording as (select id from call_recordings where id = ? for key share),
       object as (
         update stored_objects set state = 'stored', state_since = ?, expires_at = null
         where id = ? and state = 'pending' and exists (select from recording) and not exists (
           select from call_recording_segments where recording_id = ? and attempt = ? and number = ?)
         returning id)
     insert into call_recording_segments (workspace_id, recording_id, attempt, number, start_frame, frames, object_id)
     select ?, ?, ?, ?, ?, ?, id from object returning id`,
    [
      ...[recordingId, now, objectId, recordingId, attempt, number],
      ...[tx.workspaceId, recordingId, attempt, number, startFrame, frames],
    ],
  );
  return rows.length > 0;
}

/** A segment with its object. */
export type StoredSegment = Pick<CallRecordingSegmentRow, 'startFrame' | 'frames'> & {
  objectUuid: string;
};

/** Lists the segments of a recording in the order of their sound. */
export async function selectRecordingSegments(tx: Tx, recordingId: number): Promise<StoredSegment[]> {
  return prepared(
    tx,
    `select s.start_frame as "startFrame", s.frames, o.uuid as "objectUuid"
     from call_recording_segments s
     join stored_objects o on o.workspace_id = s.workspace_id and o.id = s.object_id
     where s.recording_id = ? order by s.start_frame, s.attempt, s.number`,
    [recordingId],
  );
}

/** The newest call of a chat that has a recording, or one call of it. */
export async function findRecordingOfChat(
  tx: Tx,
  chatId: number,
  callId: number | undefined,
): Promise<CallRecordingRow | undefined> {
  const [row] = await prepared<CallRecordingRow>(
    tx,
    `select ${CallRecordingModel.columns} from phone_calls p
     join call_recordings on call_recordings.workspace_id = p.workspace_id and call_recordings.call_id = p.id
     where p.chat_id = ? ${callId === undefined ? '' : 'and p.id = ?'} order by p.id desc limit 1`,
    callId === undefined ? [chatId] : [chatId, callId],
  );
  return row;
}

/** Deletes the recording of a call, with its segments, whose objects are doomed. */
export async function removeRecordingOfCall(tx: Tx, callId: number): Promise<void> {
  await CallRecordingModel.deleteWhere(tx, 'call_id = ?', [callId]);
}

/** Deletes the recordings of a chat's calls, with their segments, whose objects are doomed. @returns their number */
export async function removeRecordingsOfChat(tx: Tx, chatId: number): Promise<number> {
  const ofChat = 'call_id in (select id from phone_calls where chat_id = ?)';
  return CallRecordingModel.deleteWhere(tx, ofChat, [chatId]);
}

/** Deletes the oldest recordings that begin before a time, of calls that are over. @returns their number */
export async function removeOldRecordings(tx: Tx, before: Date, limit: number): Promise<number> {
  return CallRecordingModel.deleteWhere(
    tx,
    `id in (
       select r.id from call_recordings r
       join phone_calls p on p.workspace_id = r.workspace_id and p.id = r.call_id
       where r.begins_at < ? and p.finished_at is not null
       order by r.begins_at, r.id limit ? for update of r skip locked)`,
    [before, limit],
  );
}
