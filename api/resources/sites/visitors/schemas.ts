import Type from 'typebox';
import { visitorFiles } from '../../../../domain/sites/visitors/store-visitor-file.js';
import { type AnswerOf, Id, Nullable, OneOf, Time, Timestamp, Uuid } from '../../../http/schemas.js';
import type { ServerEvent } from '../../../http/streams/event-stream.js';

const Color = (description: string) => Type.String({ pattern: '^#[0-9a-f]{6}$', maxLength: 7, description });
const Palette = Type.Object({
  background: Color('Behind the messages'),
  surface: Color('Behind what others have written'),
  text: Color('Colour of the text'),
  muted: Color('Less important text'),
  primary: Color('Buttons, and behind what the visitor has written'),
  onPrimary: Color('Text on buttons'),
  link: Color('Colour of links'),
  border: Color('Colour of lines'),
});

const PageLocale = Type.String({
  maxLength: 35,
  description: 'Language of the page, such as `de-AT`. What is no language tag says nothing',
});
export const SiteChatQuery = Type.Object({ locale: Type.Optional(PageLocale) });

export const SiteChatResponse = Type.Object(
  {
    offered: Type.Boolean({ description: 'Whether visitors can begin a chat' }),
    siteName: Type.String({ description: 'Name of the site' }),
    allowSignup: Type.Boolean({ description: 'Whether visitors can become members through the site' }),
    greeting: Nullable(
      Type.String({ description: 'Plain text that the chat begins with; it is no message' }),
    ),
    greetingLocale: Type.String({ description: 'Locale that the greeting is in' }),
    locale: Type.String({ description: 'Primary locale of the site' }),
    colorScheme: OneOf(['auto', 'light', 'dark'], { description: "auto: as the visitor's device is set" }),
    cornerRadius: Type.Integer({ description: 'Rounding of corners in CSS pixels' }),
    light: { ...Palette, description: 'Colours in the light scheme' },
    dark: { ...Palette, description: 'Colours in the dark scheme' },
    attachments: Type.Object(
      {
        maxBytes: Type.Integer({ description: 'Bytes of one file at most' }),
        maxFiles: Type.Integer({ description: 'Files of one message at most' }),
        mimeTypes: Type.Array(Type.String(), { description: 'Kinds of files, recognised by their content' }),
      },
      { description: 'Which files visitors may send' },
    ),
  },
  { $id: 'SiteChatResponse' },
);
export type SiteChatResponse = AnswerOf<typeof SiteChatResponse>;

export const VisitorTokenResponse = Type.Object(
  {
    token: Type.String({ description: 'The token of the visitor, which is shown this once' }),
    expiresAt: Time({
      description: 'When it ends, unless a message is written. After that it ends 30 days after its last use',
    }),
  },
  { $id: 'VisitorTokenResponse' },
);

const VisitorFile = Type.Object({
  id: Id,
  filename: Type.String({ description: 'Name of the file when the message was sent' }),
  mimeType: Type.String(),
  fileSize: Type.Integer({ minimum: 0 }),
});

export const VisitorMessageResponse = Type.Object(
  {
    id: Uuid,
    role: OneOf(['user', 'assistant'], { description: 'user: written by the visitor' }),
    author: OneOf(['visitor', 'agent', 'person'], { description: 'person: somebody of the team' }),
    authorName: Nullable(
      Type.String({
        description: 'Name of the person of the team, where the site shows names (`chatShowsNames`)',
      }),
    ),
    text: Type.String({ description: 'Markdown of an agent or a person of the team, else plain text' }),
    files: Type.Array(VisitorFile, { description: 'Files that came with the message' }),
    suggestions: Type.Array(Type.String(), {
      description: 'Answers that the visitor may choose from, as plain text',
    }),
    rating: Nullable(Type.Number({ description: 'How the visitor has rated it: 1 is good, 0 is bad' })),
    createdAt: Timestamp,
  },
  { $id: 'VisitorMessageResponse' },
);
export type VisitorMessageResponse = AnswerOf<typeof VisitorMessageResponse>;

const VisitorChat = Type.Object(
  {
    uuid: Uuid,
    concluded: Type.Boolean({ description: 'Whether what the chat was about is done' }),
    waitsForPerson: Type.Boolean({ description: 'Whether somebody of the team is to answer' }),
    agentAnswers: Type.Boolean({
      description: 'Whether an agent answers; otherwise people of the team do, who have taken the chat over',
    }),
    ofAccount: Type.Boolean({
      description: 'Whether the visitor has signed up, so that an account has the chat',
    }),
  },
  { $id: 'VisitorChat' },
);
export type VisitorChat = AnswerOf<typeof VisitorChat>;

export const VisitorMessagesResponse = Type.Object(
  {
    chat: Nullable({ ...VisitorChat, description: 'Null before the first message' }),
    messages: Type.Array(VisitorMessageResponse, { description: 'Newest first' }),
    more: Type.Boolean({ description: 'Whether there may be older messages' }),
  },
  { $id: 'VisitorMessagesResponse' },
);

export const VisitorMessagesQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  offset: Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 }),
});

export const WriteVisitorMessageRequest = Type.Object(
  {
    id: Type.String({
      ...Uuid,
      maxLength: 36,
      description: 'A new random UUID, which the message gets: sent twice, it is stored once',
    }),
    text: Type.String({ maxLength: 4_000, description: 'Plain text; may be empty with files' }),
    files: Type.Optional(
      Type.Array(Id, {
        maxItems: visitorFiles.ofMessage,
        uniqueItems: true,
        description: 'Ids of files that this visitor has uploaded',
      }),
    ),
    newChat: Type.Optional(
      Type.Boolean({ description: 'Begins another chat, if the last one is concluded' }),
    ),
    locale: Type.Optional(PageLocale),
  },
  { $id: 'WriteVisitorMessageRequest' },
);

export const RateVisitorMessageRequest = Type.Object(
  {
    rating: Type.Union([Type.Literal(1), Type.Literal(0)], { description: '1 is good, 0 is bad' }),
    comment: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2_000, description: 'What was good or bad about it' }),
    ),
  },
  { $id: 'RateVisitorMessageRequest' },
);

export const VisitorFileForm = Type.Object({ locale: Type.Optional(PageLocale) });

export const VisitorFileResponse = Type.Object(
  { id: Id, filename: Type.String({ description: 'Name of the file' }), mimeType: Type.String() },
  { $id: 'VisitorFileResponse' },
);

const reply = { turn: Uuid, round: Type.Integer({ minimum: 1 }) };

export const visitorEvents = {
  chat: Type.Object(
    { chat: VisitorChat },
    { $id: 'VisitorChatEvent', description: 'The chat when the stream starts, and whenever it changes' },
  ),
  message: Type.Object(
    {
      message: VisitorMessageResponse,
      reply: Type.Optional(Type.Object(reply, { description: 'The draft that the message replaces' })),
    },
    {
      $id: 'VisitorMessageEvent',
      description: 'A new message, or one that has changed; `reply` is the draft that it replaces',
    },
  ),
  concluded: Type.Object(
    {},
    { $id: 'VisitorChatConcludedEvent', description: 'What the chat was about is done' },
  ),
  typing: Type.Object(
    {
      author: OneOf(['agent', 'person'], { description: 'Who is writing' }),
      active: Type.Boolean({ description: 'Expires after ten seconds' }),
    },
    { $id: 'VisitorTypingEvent', description: 'An answer is being written' },
  ),
  'reply.delta': Type.Object(
    {
      ...reply,
      index: Type.Integer({ minimum: 0, description: 'The number of the piece; 0 starts the draft' }),
      text: Type.String(),
    },
    { $id: 'VisitorReplyDeltaEvent', description: 'A piece of the reply that the agent is writing' },
  ),
  'reply.dropped': Type.Object(reply, {
    $id: 'VisitorReplyDroppedEvent',
    description: 'The draft will not become a message',
  }),
} as const;

export type VisitorEvent = ServerEvent<typeof visitorEvents>;
