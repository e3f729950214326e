import { signalTyping } from '../../../../domain/conversations/chat-events/signal-typing.js';
import { rateMessage } from '../../../../domain/conversations/chats/rate-message.js';
import { beginVisit } from '../../../../domain/sites/visitors/begin-visit.js';
import { readChatSettings } from '../../../../domain/sites/visitors/chat-settings.js';
import { leaveChat } from '../../../../domain/sites/visitors/leave-chat.js';
import { readVisitorChat } from '../../../../domain/sites/visitors/read-chat.js';
import { readVisitorFile } from '../../../../domain/sites/visitors/read-file.js';
import {
  createVisitorFile,
  dropVisitorFile,
  storeVisitorFile,
  visitorFiles,
} from '../../../../domain/sites/visitors/store-visitor-file.js';
import { requireChat } from '../../../../domain/sites/visitors/visitor-context.js';
import { writeMessage } from '../../../../domain/sites/visitors/write-message.js';
import { siteGuest, siteVisitor } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { servedContent } from '../../files/served-content.js';
import { fileStorageOf, uploadErrors } from '../../files/upload.js';
import { openVisitorStream } from './open-stream.js';
import { presentSettings, presentVisitorChat, presentVisitorMessage } from './presenter.js';
import {
  RateVisitorMessageRequest,
  SiteChatQuery,
  SiteChatResponse,
  VisitorFileForm,
  VisitorFileResponse,
  VisitorMessageResponse,
  VisitorMessagesQuery,
  VisitorMessagesResponse,
  VisitorTokenResponse,
  visitorEvents,
  WriteVisitorMessageRequest,
} from './schemas.js';

const tag = 'Site chats';
const place = '/s/{workspace_uuid}/{site_uuid}';
const tooMuch =
  'The visitor, its address, or all visitors of the site have done as much as allowed (`rate_limited`, `too_many_visitor_chats`). Retry-After says when it goes on.';
const notBegun = 'The visitor has not written yet (`chat_not_begun`).';

const settings = defineRoute({
  operationId: 'getSiteChat',
  method: 'GET',
  path: `${place}/chat`,
  tag,
  summary: 'See whether a site offers a chat',
  description:
    'What a page needs to show the chat: whether it is offered, greeting in the language of the page, colours, and which files can be sent. The same for all callers.',
  access: siteGuest(),
  query: SiteChatQuery,
  response: { status: 200, schema: SiteChatResponse },
  etag: true,
  publicSeconds: 60,
  handler: async ({ context, query }) => presentSettings(await readChatSettings(context, query.locale)),
});

const begin = defineRoute({
  operationId: 'beginSiteVisit',
  method: 'POST',
  path: `${place}/visitors`,
  tag,
  summary: 'Get the token of a visitor',
  description:
    'For a browser that is about to write. The visitor becomes a member, without a name, with its first message; a token that is not used within a day is forgotten.',
  access: siteGuest(),
  response: { status: 201, schema: VisitorTokenResponse },
  errors: {
    403: 'The page is of an origin that the workspace does not allow.',
    409: 'The site offers no chat (`chat_not_offered`).',
    429: tooMuch,
  },
  handler: async ({ context }) => {
    const { token, visitor } = await beginVisit(context);
    return { token, expiresAt: visitor.expiresAt };
  },
});

const leave = defineRoute({
  operationId: 'endSiteVisit',
  method: 'DELETE',
  path: `${place}/visitors/current`,
  tag,
  summary: 'End the token of a visitor',
  description:
    'The browser forgets the chat, which stays with the workspace. Its assignment is cancelled with the outcome `visitor_left`, unless an account, an address or an id of another system is known of the visitor.',
  access: siteVisitor(),
  response: { status: 204 },
  handler: ({ context }) => leaveChat(context),
});

const list = defineRoute({
  operationId: 'listVisitorMessages',
  method: 'GET',
  path: `${place}/chat/messages`,
  tag,
  summary: 'Read the chat of a visitor',
  description: 'The chat that the visitor writes in, and its messages, newest first.',
  access: siteVisitor(),
  query: VisitorMessagesQuery,
  response: { status: 200, schema: VisitorMessagesResponse },
  handler: async ({ context, query }) => {
    const found = await readVisitorChat(context, query);
    if (found === undefined) return { chat: null, messages: [], more: false };
    const { chat, concluded, messages } = found;
    return {
      chat: presentVisitorChat(chat, { concluded, ofAccount: context.visitor.sessionId !== null }),
      messages: messages.flatMap(
        ({ message, authorName }) => presentVisitorMessage(message, authorName) ?? [],
      ),
      more: messages.length === query.limit,
    };
  },
});

const write = defineRoute({
  operationId: 'writeVisitorMessage',
  method: 'POST',
  path: `${place}/chat/messages`,
  tag,
  summary: 'Write a message as a visitor',
  description:
    'The first message begins the chat, with the workflow that the site has then; the chat keeps it. Sent again with the same id, a message is answered as before.',
  access: siteVisitor(),
  body: WriteVisitorMessageRequest,
  example: { body: { id: demo.visitorMessageUuid, text: 'Are you open on Saturday?' }, once: true },
  response: { status: 201, schema: VisitorMessageResponse },
  errors: { 409: 'The site offers no chat any more (`chat_not_offered`).', 429: tooMuch },
  handler: async ({ context, body }) => {
    const { id: uuid, text: content, ...rest } = body;
    const message = presentVisitorMessage(await writeMessage(context, { uuid, content, ...rest }), null);
    if (message === undefined) throw new Error('a message of a visitor was stored without contents');
    return message;
  },
});

const follow = defineRoute({
  operationId: 'followVisitorChat',
  method: 'GET',
  path: `${place}/chat/events`,
  tag,
  summary: 'Follow the chat of a visitor with server-sent events',
  description: `Read by fetch, because the token is in the header Authorization. Events with an id can be resumed with \`Last-Event-ID\`:
a message that changed several times arrives once, in its latest state. Pieces of a reply (\`reply.delta\`) are not repeated.
A comment every twenty seconds keeps the connection alive. The stream ends when the token does, and when the visitor begins another
chat.`,
  access: siteVisitor(),
  response: { status: 200, events: visitorEvents, description: 'The events, until the connection ends.' },
  errors: {
    409: notBegun,
    503: 'Too many streams are open, or the server is stopping; `Retry-After` says when to try again.',
  },
  handler: ({ context, services, lastEventId }) => openVisitorStream(context, services.live, lastEventId),
});

const typing = defineRoute({
  operationId: 'signalVisitorTyping',
  method: 'POST',
  path: `${place}/chat/typing`,
  tag,
  summary: 'Send a typing notice as a visitor',
  description: 'Who follows the chat in the workspace sees it. Nothing is stored.',
  access: siteVisitor(),
  response: { status: 204 },
  errors: { 409: notBegun },
  handler: ({ context, services }) => {
    const chat = requireChat(context);
    return signalTyping(chat, services.live, chat.chatId);
  },
});

const upload = defineRoute({
  operationId: 'uploadVisitorFile',
  method: 'POST',
  path: `${place}/chat/files`,
  tag,
  summary: 'Upload a file as a visitor',
  description:
    'For a message of this visitor, which may be its first one: the visitor becomes a member then. It is private: the team of the workspace and the agent read it.',
  access: siteVisitor(),
  consumes: 'multipart',
  body: VisitorFileForm,
  file: {
    maxBytes: visitorFiles.bytes,
    description:
      'A PNG, JPG or GIF image, a PDF, a plain text or CSV data, 5 MB at most. The kind is recognised by the content',
    kept: true,
  },
  example: { body: {}, file: 'My medicines: none.\n' },
  response: { status: 201, schema: VisitorFileResponse },
  errors: {
    ...uploadErrors,
    409: 'The site offers no chat any more (`chat_not_offered`), or there is no room for files (`storage_full`).',
    429: tooMuch,
  },
  prepare: ({ context, body, file, services }) =>
    storeVisitorFile(context, fileStorageOf(services), { spooled: file, name: file.name }, body.locale),
  giveBack: dropVisitorFile,
  handler: async ({ context, prepared }) => {
    const { id, filename, mimeType } = await createVisitorFile(context, prepared);
    return { id, filename, mimeType };
  },
});

const readFile = defineRoute({
  operationId: 'readVisitorFile',
  method: 'GET',
  path: `${place}/chat/files/{file_id}`,
  tag,
  summary: 'Read the bytes of a file as a visitor',
  description: 'A file of a message in the chat, as it was sent, whoever sent it. Everything else is 404.',
  access: siteVisitor(),
  response: { status: 200, file: true, description: 'The bytes of the file.' },
  errors: { 409: notBegun },
  handler: async ({ context, services, params }) => {
    const content = await readVisitorFile(context, params.file_id);
    return servedContent(services.storage, context.workspaceUuid, content, { disposition: 'attachment' });
  },
});

const rate = defineRoute({
  operationId: 'rateVisitorMessage',
  method: 'POST',
  path: `${place}/chat/messages/{message_uuid}/rate`,
  tag,
  summary: 'Rate an answer as a visitor',
  description:
    'As Rate a message of the assistant does for members. Rating again replaces rating and comment.',
  access: siteVisitor(),
  body: RateVisitorMessageRequest,
  example: { params: { message_uuid: demo.messageUuid }, body: { rating: 1, comment: 'That helped.' } },
  response: { status: 204 },
  errors: { 409: notBegun },
  handler: async ({ context, params, body }) => {
    const chat = requireChat(context);
    await rateMessage(chat, { chatId: chat.chatId, messageUuid: params.message_uuid }, body);
  },
});

export const visitorRoutes = [settings, begin, leave, list, write, follow, typing, upload, readFile, rate];
