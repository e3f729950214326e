import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import type { TransferState } from './models/call-transfer.js';
import type { RecordingConsent } from './models/phone-call.js';

/** The length of what is recorded of a call, in milliseconds; null: nothing is. */
export async function findRecordedMs(tx: Tx, callId: number): Promise<number | null> {
  const [found] = await prepared<{ ms: number | null }>(
    tx,
    `select (max(s.start_frame + s.frames) / 8)::integer as ms
     from call_recordings r join call_recording_segments s on s.recording_id = r.id where r.call_id = ?`,
    [callId],
  );
  return found?.ms ?? null;
}

/** What happened in a call beside what was said. */
export interface CallMark {
  kind: 'interruption' | 'transfer' | 'consent';
  /** Milliseconds from the beginning of the recording; null: it is not in it, or there is none. */
  offsetMs: number | null;
  /** The message that was interrupted. */
  messageUuid: string | null;
  transferState: TransferState | null;
  targetName: string | null;
  consent: RecordingConsent | null;
}

/** Lists what happened in a call in order, what was before its recording first. */
export async function selectCallMarks(
  tx: Tx,
  callId: number,
  recordedMs: number | null,
): Promise<CallMark[]> {
  return prepared(
    tx,
    `with call as (
       select c.*, r.begins_at from phone_calls c left join call_recordings r on r.call_id = c.id where c.id = ?
     ),
     marks as (
       select 'consent' as kind, recording_noticed_at as at, null::bigint as ms, null::uuid as message_uuid,
         null::text as transfer_state, null::text as target_name, recording_consent as consent
       from call where recording_consent is not null
       union all
       select 'transfer', t.created_at, null, null, t.state, t.target_name, null
       from call join call_transfers t on t.call_id = call.id
       union all
       select 'interruption', m.created_at, (m.audio_metadata->>'startMs')::bigint + m.truncated_at_ms, m.uuid, null, null, null
       from call join messages m on m.call_id = call.id
       where m.truncation_reason is not null and m.truncated_at_ms is not null
     ),
     placed as (
       select marks.*,
         coalesce(marks.ms, round(extract(epoch from marks.at - call.begins_at) * 1000)::bigint) as offset_ms
       from marks cross join call
     )
     select kind, case when offset_ms between 0 and ?::integer then offset_ms::integer end as "offsetMs",
       message_uuid as "messageUuid", transfer_state as "transferState", target_name as "targetName", consent
     from placed order by offset_ms nulls first, at, kind`,
    [callId, recordedMs],
  );
}
