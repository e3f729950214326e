import { exportChatList } from '../../../../domain/conversations/chats/export/export-chat-list.js';
import { exportTranscripts } from '../../../../domain/conversations/chats/export/export-transcripts.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentMessage } from '../messages/presenter.js';
import {
  ExportChatsQuery,
  ExportTranscriptsQuery,
  TranscriptLine as Line,
  type TranscriptLine,
} from './export-schemas.js';
import { presentChat } from './presenter.js';

const access = workspaceMember({ scope: 'chats:read' });

const table = defineRoute({
  operationId: 'exportChats',
  audit: ['chats:exported'],
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/export',
  tag: 'Chats',
  summary: 'Export chats as a CSV file',
  description:
    "One row per chat, without messages, with the same filters as the list, in order of id. Without the permission chats:read, only the caller's own chats. A text that a spreadsheet would run as a formula is prefixed with an apostrophe, unless neutralize is false.",
  access,
  query: ExportChatsQuery,
  response: { status: 200, stream: 'text/csv', description: 'The file; it is cut off if an error occurs' },
  handler: async ({ context, query: { neutralize, ...filter } }) =>
    exportChatList(context, filter, { neutralize }),
});

const transcripts = defineRoute({
  operationId: 'exportTranscripts',
  audit: ['transcripts:exported'],
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/export/transcripts',
  tag: 'Chats',
  summary: 'Export chats and their messages as lines of JSON',
  description:
    "One line per chat, in order of id, each followed by a line for each of its messages, oldest first, unless messages is false. The filters are those of the list. Without the permission chats:read, only the caller's own chats, and without their notes. What is written during the export may be missing.",
  access,
  query: ExportTranscriptsQuery,
  response: {
    status: 200,
    stream: 'application/x-ndjson',
    schema: Line,
    description: 'Chats, each followed by its messages',
  },
  handler: async ({ context, query: { messages, ...filter } }) =>
    presentLines(exportTranscripts(context, filter, { withMessages: messages })),
});

async function* presentLines(lines: ReturnType<typeof exportTranscripts>): AsyncGenerator<TranscriptLine> {
  for await (const line of lines) {
    yield 'chat' in line
      ? { type: 'chat', chat: presentChat(line.chat) }
      : { type: 'message', chatId: line.message.chatId, message: presentMessage(line.message) };
  }
}

export const exportRoutes = [table, transcripts];
