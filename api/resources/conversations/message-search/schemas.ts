import Type from 'typebox';
import { createdBetween, Id, Nullable, OneOf, Picked, Timestamp } from '../../../http/schemas.js';

export const FoundMessageResponse = Picked(
  {
    id: Type.String({ description: 'Id of the message, as in the list of messages' }),
    chatId: Type.Integer({ ...Id, description: 'Chat that the message is in' }),
    chatTitle: Nullable(Type.String({ description: 'Title of the chat; null: it has none' })),
    chatMemberId: Type.Integer({ ...Id, description: 'Member of the chat' }),
    role: OneOf(['user', 'assistant'], {
      description: 'Who the message is from: a person, or the assistant',
    }),
    author: Type.Optional(
      OneOf(['member', 'person', 'agent', 'workflow', 'system'], { description: 'Who wrote the message' }),
    ),
    memberId: Type.Optional(Type.Integer({ ...Id, description: 'Member who wrote it, if a member did' })),
    createdAt: Timestamp,
    excerpt: Type.String({
      description:
        'The part of the text with the words that were found, as HTML: its text is escaped, and each of the words is in a <mark> element. There are no other elements',
    }),
  },
  { $id: 'FoundMessageResponse' },
);

export const MessageSearchResponse = Type.Object(
  {
    items: Type.Array(FoundMessageResponse, {
      description: 'The messages that were found, the newest first',
    }),
    next: Type.Optional(
      Type.String({
        description: 'Where older messages go on, for the parameter before. Absent: there are none',
      }),
    ),
  },
  { $id: 'MessageSearchResponse' },
);

export const SearchMessagesQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '\\S',
    description:
      'Words to search for, without endings of grammar, with accents or without; a word of three letters or more also finds words that begin with it. "Words in quotes" are found as they stand, `or` between words finds either, and a minus excludes a word',
  }),
  chatId: Type.Optional(Type.Integer({ ...Id, description: 'Only messages of this chat' })),
  memberId: Type.Optional(Type.Integer({ ...Id, description: 'Only messages in chats of this member' })),
  ...createdBetween,
  before: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 20,
      description: 'next of an earlier answer: only older messages',
    }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: 50,
    default: 20,
    description: 'The most messages to answer with',
  }),
});
