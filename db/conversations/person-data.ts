import { ownChats, type PersonTables } from '../lib/person-data.js';

/** What the tables of this area hold of a person. */
export const conversationsTables: PersonTables = {
  'public.messages': {
    personal: 'content original_content tool_calls suggestions user_rating_comment files',
    rest: 'id workspace_id uuid chat_id role truncation_reason truncated_at_ms tool_call_id sub_conversation_of member_id task_id email_id inbox_id turn_uuid turn_round turn_version token_usage carrier_message_id sms_delivery_status sms_delivery_error_code sms_delivery_updated_at sms_delivery_failure_reason user_rating created_at created_revision revision value_bytes sms_keyword answers_until carrier_received_at author media_awaited_since call_id call_item_id audio_metadata audio_file_uuid',
    about: `t.chat_id in (${ownChats} union all select p.chat_id from chat_participants p where p.member_id = :member)
      and (t.member_id = :member or t.chat_id in (${ownChats}))`,
    exported: {
      file: 'messages',
      hidden: `t.role in ('system', 'tool') or t.content is null`,
      hiddenColumns: 'tool_calls tool_call_id sub_conversation_of token_usage original_content',
    },
    erased: {
      by: 'empty',
      columns: {
        content: 'null',
        original_content: 'null',
        tool_calls: "'[]'",
        suggestions: "'[]'",
        files: "'[]'",
        media_awaited_since: 'null',
        user_rating: 'null',
        user_rating_comment: 'null',
      },
      kept: 'That a message was written, when and by whom, with the id of the carrier, so that it is not received again.',
    },
  },
  'public.tool_approvals': {
    personal: 'comment',
    rest: 'id workspace_id uuid chat_id message_id tool_call_id state requested_at expires_at decided_at decided_by_member_id',
    about: `t.chat_id in (${ownChats})`,
    exported: { file: 'tool-approvals', internal: true },
    erased: { by: 'delete' },
  },
  'public.follow_ups': {
    personal: 'instructions',
    rest: 'id workspace_id uuid chat_id due_at fired_at cancelled_at created_at scheduled_by_member_id cancelled_by_member_id',
    about: `t.chat_id in (${ownChats})`,
    exported: { file: 'follow-ups', internal: true },
    erased: { by: 'delete' },
  },
  'public.scheduled_messages': {
    personal: 'message',
    rest: 'id workspace_id uuid chat_id author_member_id api_key_id file_ids send_at seen_message_id seen_waiting_since state failure_reason settled_at cancelled_by_member_id message_uuid created_at updated_at',
    about: `t.chat_id in (${ownChats})`,
    exported: { file: 'scheduled-messages', internal: true },
    erased: { by: 'delete' },
  },
  'public.chat_label_links': {
    rest: 'id workspace_id chat_id chat_label_id created_at',
    about: `t.chat_id in (${ownChats})`,
    exported: {
      file: 'chat-labels',
      only: 'exists (select from chat_labels l where l.id = t.chat_label_id)',
      also: {
        labelName: `(select name from chat_labels l where l.workspace_id = t.workspace_id and l.id = t.chat_label_id)`,
      },
      internal: true,
    },
    erased: { by: 'delete' },
  },
  'public.chat_participants': {
    personal: 'additional_instructions',
    configuration: 'chat_model_config realtime_model_config',
    rest: 'id workspace_id chat_id member_id role created_at chat_model_id realtime_model_id',
    about: `(t.member_id = :member or t.chat_id in (${ownChats}))`,
    exported: { file: 'chat-participants', internal: true },
    erased: { by: 'empty', columns: { additional_instructions: 'null' }, kept: 'Who took part in a chat.' },
  },
  'public.chats': {
    personal: 'title summary chat_type paused_reason',
    rest: 'id workspace_id uuid channel member_id created_by_member_id assistant_enabled assistant_member_id chat_model_id realtime_model_id definition_id revision_id phone_number_id inbox_id site_id folder_id from_message_id summary_updated_at archived muted paused paused_at needs_response is_test initial_message_error message_count last_message_received_at version handled_version created_at updated_at revision changed_revision dm_key sender_key needs_response_reason agent_held_since agent_held_until attended_at turns_counted_from interruptions agent_stopped_reason agent_stopped_until paused_by_member_id turn_owed_since standing_reason timeline_revision call_revision forgotten_at needs_response_since claimed_by_member_id claimed_until snoozed_at snoozed_until reopened_at summary_request_uuid summary_message_id approval_id',
    about: `t.id in (${ownChats})`,
    exported: {
      file: 'chats',
      hiddenColumns:
        'paused_reason needs_response_reason standing_reason agent_stopped_reason claimed_by_member_id claimed_until snoozed_at snoozed_until reopened_at approval_id',
    },
    erased: {
      by: 'empty',
      columns: { title: 'null', summary: 'null', chat_type: "'erased'", paused_reason: "'member_deleted'" },
      kept: 'That there was a chat, which usage, messages and assignments refer to.',
    },
  },
  'public.chat_acts': {
    rest: 'id workspace_id chat_id after_message_id kind member_id reason until subject_id created_at',
    about: `t.chat_id in (${ownChats})`,
    exported: { file: 'chat-acts', internal: true },
    erased: { by: 'keep', kept: 'What colleagues did with a chat, who and when: codes, ids and times.' },
  },
  'public.chat_labels': {
    configuration: 'name slug description',
    rest: 'id workspace_id uuid color created_at updated_at',
  },
  'public.assistants': {
    configuration: 'instructions chat_model_config realtime_model_config',
    rest: 'id workspace_id uuid member_id chat_model_id realtime_model_id is_default enabled created_at updated_at',
  },
};
