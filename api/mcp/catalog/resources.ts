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
    name: 'chat_transcript',
    title: 'Transcript of a chat',
    description:
      'The latest hundred messages of a chat, the newest first. The tool list_chat_messages has the earlier ones.',
    uriTemplate: 'wes://chats/{chat_id}/transcript',
    operationId: 'listChatMessages',
    defaults: { limit: 100 },
  }),
];
