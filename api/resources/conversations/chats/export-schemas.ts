import Type from 'typebox';
import { type AnswerOf, Id, neutralize } from '../../../http/schemas.js';
import { OpenAIMessageResponse } from '../messages/schemas.js';
import { ChatResponse, listFilters } from './schemas.js';

export const ExportChatsQuery = Type.Object({ ...listFilters, neutralize });

export const ExportTranscriptsQuery = Type.Object({
  ...listFilters,
  messages: Type.Boolean({ default: true, description: 'Whether each chat is followed by its messages' }),
});

/** A line of the answer: a chat, or a message of the chat before it. */
export const TranscriptLine = Type.Union(
  [
    Type.Object({ type: Type.Literal('chat', { description: 'The line is a chat' }), chat: ChatResponse }),
    Type.Object({
      type: Type.Literal('message', { description: 'The line is a message of the chat before it' }),
      chatId: Type.Integer({ ...Id, description: 'Id of the chat that the message is in' }),
      message: OpenAIMessageResponse,
    }),
  ],
  { $id: 'TranscriptLine' },
);
export type TranscriptLine = AnswerOf<typeof TranscriptLine>;
