import { ownChats, type PersonTables } from '../lib/person-data.js';

/** The calls of a member's chats, and those that came from its number. */
const ownCalls = `(t.member_id = :member or t.chat_id in (${ownChats}) or t.remote_number = (select phone from members where id = :member))`;

/** The recordings of calls with the member. */
export const ownRecordings = `select id from call_recordings where call_id in
  (select id from phone_calls where member_id = :member or chat_id in (${ownChats}))`;

/** What the tables of this area hold of a person. */
export const callsTables: PersonTables = {
  'public.call_recording_segments': {
    rest: 'id workspace_id recording_id attempt number start_frame frames object_id',
    about: `t.recording_id in (${ownRecordings})`,
    exported: { not: 'Their sound is in the folder `recordings` of the archive.' },
    erased: { by: 'cascade', from: 'public.call_recordings' },
  },
  'public.call_recordings': {
    rest: 'id workspace_id uuid call_id begins_at',
    about: `t.id in (${ownRecordings})`,
    exported: { file: 'call-recordings' },
    erased: { by: 'delete' },
  },
  'public.call_bridges': {
    rest: 'id workspace_id call_id attempt process_id stream_id began_at heartbeat_at ended_at end_reason command command_at acknowledged_at created_at',
    about: `t.call_id in (select id from phone_calls where member_id = :member or chat_id in (${ownChats}))`,
    exported: { not: 'Which processes have held the sound of a call: codes and times.' },
    erased: { by: 'keep', kept: 'Which processes have held the sound of a call, and when.' },
  },
  'public.call_transfers': {
    personal: 'facts',
    configuration: 'target_name phone_number',
    rest: 'id workspace_id uuid call_id tool_call_id ring_seconds state blocked_reason max_seconds is_abroad dialed_at ended_at created_at updated_at',
    about: `t.call_id in (select id from phone_calls where member_id = :member or chat_id in (${ownChats}))`,
    exported: {
      file: 'call-transfers',
      hiddenColumns: 'phone_number tool_call_id blocked_reason max_seconds is_abroad',
    },
    erased: {
      by: 'empty',
      columns: { facts: "''" },
      kept: 'That a call was transferred, to whom, and whether the transfer came about.',
    },
  },
  'public.phone_calls': {
    personal: 'remote_number',
    configuration: 'recording_notice',
    rest: 'id workspace_id uuid chat_id phone_number_id member_id inbound carrier_call_id status termination_reason carrier_status failure_detail blocked_reason agent_member_id begun_by requested_by_member_id assignment_task_id claim_token claimed_at attempts outcome_unknown look_ups dialed_at started_at finished_at asked_at ended_by released_at hung_up_at hung_up_by_member_id answered_by transfer_status transfer_blocked_reason identity_tries identity_keys identity_proved_at recording_consent recording_noticed_at duration_seconds measured_seconds credits price price_unit expected_price bill_due_at settled_at summary_told_at revision created_at updated_at',
    about: ownCalls,
    exported: {
      file: 'phone-calls',
      hiddenColumns:
        'identity_tries identity_keys blocked_reason transfer_blocked_reason requested_by_member_id hung_up_by_member_id claim_token claimed_at outcome_unknown look_ups asked_at answered_by price price_unit bill_due_at settled_at summary_told_at',
    },
    erased: {
      by: 'empty',
      columns: { remote_number: 'null' },
      kept: 'That there was a call, when, how it ended and what it cost, for billing, without its number.',
    },
  },
};
