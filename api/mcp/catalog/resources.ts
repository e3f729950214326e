import { defineResource, type McpResource } from '../define-resource.js';

/** What AI clients read by its address. */
export const resources: readonly McpResource[] = [
  defineResource({
    name: 'data_record',
    title: 'Data record',
    description: 'The stored values of one data record, with its member, state and version.',
    uriTemplate: 'wes://data-types/{data_type_id}/records/{record_id}',
    operationId: 'getDataRecord',
  }),
  defineResource({
    name: 'file',
    title: 'File',
    description: 'One file: name, kind, size and labels. Its text is found by the tool search_files.',
    uriTemplate: 'wes://files/{file_id}',
    operationId: 'getFile',
    // Who has the address of the bytes gets them: it is not for a model.
    dropped: ['data', 'cdnUrl'],
  }),
  defineResource({
    name: 'chat',
    title: 'Chat',
    description:
      'One chat without its messages: channel, title, summary, participants, labels, and whether a person has to answer. Changes can be subscribed to.',
    uriTemplate: 'wes://chats/{chat_id}',
    operationId: 'getChat',
    changesWith: 'chat',
  }),
  defineResource({
    name: 'chat_transcript',
    title: 'Transcript of a chat',
    description:
      'The latest hundred messages of a chat, the newest first. The tool list_chat_messages has the earlier ones. New and changed messages can be subscribed to.',
    uriTemplate: 'wes://chats/{chat_id}/transcript',
    operationId: 'listChatMessages',
    defaults: { limit: 100 },
    changesWith: 'messages',
  }),
  defineResource({
    name: 'assignment',
    title: 'Assignment',
    description:
      'Where one assignment stands: status, outcome, the tree of its tasks, and the records that were collected. What happens in it can be subscribed to.',
    uriTemplate: 'wes://assignments/{assignment_id}',
    operationId: 'getAssignment',
    scopes: ['task:read'],
    dropped: ['data', 'cdnUrl', 'pages'],
    changesWith: 'assignment',
  }),
];
