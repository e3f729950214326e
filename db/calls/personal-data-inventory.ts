import { ownChats, type PersonalDataInventory } from '../lib/personal-data-inventory.js';
import { CallBridgeModel } from './models/call-bridge.js';
import { CallRecordingModel, CallRecordingSegmentModel } from './models/call-recording.js';
import { CallTransferModel } from './models/call-transfer.js';
import { PhoneCallModel } from './models/phone-call.js';

/** The calls of a member's chats, and those that came from its number. */
const ownCalls = `(t.member_id = :member or t.chat_id in (${ownChats}) or t.remote_number = (select phone from members where id = :member))`;

/** The recordings of calls with the member. */
export const ownRecordings = `select id from call_recordings where call_id in
  (select id from phone_calls where member_id = :member or chat_id in (${ownChats}))`;

/** What the tables of this area hold of a person. */
export const callsTables: PersonalDataInventory = {
  aboutMembers: [
    {
      model: CallRecordingSegmentModel,
      about: `t.recording_id in (${ownRecordings})`,
      exported: { not: 'Their sound is in the folder `recordings` of the archive.' },
      erased: { by: 'cascade', from: CallRecordingModel },
    },
    {
      model: CallRecordingModel,
      about: `t.id in (${ownRecordings})`,
      exported: { file: 'call-recordings' },
      erased: { by: 'delete' },
    },
    {
      model: CallBridgeModel,
      about: `t.call_id in (select id from phone_calls where member_id = :member or chat_id in (${ownChats}))`,
      exported: { not: 'Which processes have held the sound of a call: codes and times.' },
      erased: { by: 'keep', kept: 'Which processes have held the sound of a call, and when.' },
    },
    {
      model: CallTransferModel,
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
    {
      model: PhoneCallModel,
      about: ownCalls,
      exported: {
        file: 'phone-calls',
        hiddenColumns:
          'identity_tries identity_keys blocked_reason transfer_blocked_reason requested_by_member_id hung_up_by_member_id claim_token claimed_at outcome_unknown look_ups asked_at answered_by price price_unit bill_due_at settled_at summary_told_at',
      },
      erased: {
        by: 'empty',
        kept: 'That there was a call, when, how it ended and what it cost, for billing, without its number.',
      },
    },
  ],
  others: [],
};
