import { ownChats, type PersonalDataInventory } from '../lib/personal-data-inventory.js';
import { AssistantModel } from './models/assistant.js';
import { ChatModel, ChatParticipantModel } from './models/chat.js';
import { ChatActModel } from './models/chat-act.js';
import { ChatLabelLinkModel, ChatLabelModel } from './models/chat-label.js';
import { FollowUpModel } from './models/follow-up.js';
import { HandoffTellingModel } from './models/handoff-telling.js';
import { MessageModel } from './models/message.js';
import { MessageTemplateModel } from './models/message-template.js';
import { ScheduledMessageModel } from './models/scheduled-message.js';
import { ToolApprovalModel } from './models/tool-approval.js';

/** What the tables of this area hold of a person. */
export const conversationsTables: PersonalDataInventory = {
  aboutMembers: [
    {
      model: MessageModel,
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
          tool_calls: "'[]'",
          suggestions: "'[]'",
          files: "'[]'",
          media_awaited_since: 'null',
          user_rating: 'null',
        },
        kept: 'That a message was written, when and by whom, with the id of the carrier, so that it is not received again.',
      },
    },
    {
      model: ToolApprovalModel,
      about: `t.chat_id in (${ownChats})`,
      exported: { file: 'tool-approvals', internal: true },
      erased: { by: 'delete' },
    },
    {
      model: FollowUpModel,
      about: `t.chat_id in (${ownChats})`,
      exported: { file: 'follow-ups', internal: true },
      erased: { by: 'delete' },
    },
    {
      model: ScheduledMessageModel,
      about: `t.chat_id in (${ownChats})`,
      exported: { file: 'scheduled-messages', internal: true },
      erased: { by: 'delete' },
    },
    {
      model: ChatLabelLinkModel,
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
    {
      model: ChatParticipantModel,
      about: `(t.member_id = :member or t.chat_id in (${ownChats}))`,
      exported: { file: 'chat-participants', internal: true },
      erased: { by: 'empty', kept: 'Who took part in a chat.' },
    },
    {
      model: ChatModel,
      about: `t.id in (${ownChats})`,
      exported: {
        file: 'chats',
        hiddenColumns:
          'paused_reason needs_response_reason standing_reason agent_stopped_reason claimed_by_member_id claimed_until snoozed_at snoozed_until reopened_at approval_id',
      },
      erased: {
        by: 'empty',
        columns: { chat_type: "'erased'", paused_reason: "'member_deleted'" },
        kept: 'That there was a chat, which usage, messages and assignments refer to.',
      },
    },
    {
      model: ChatActModel,
      about: `t.chat_id in (${ownChats})`,
      exported: { file: 'chat-acts', internal: true },
      erased: { by: 'keep', kept: 'What colleagues did with a chat, who and when: codes, ids and times.' },
    },
  ],
  others: [ChatLabelModel, AssistantModel, HandoffTellingModel, MessageTemplateModel],
};
