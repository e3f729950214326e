import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { openChatStream } from './open-stream.js';
import { chatEvents } from './schemas.js';

const follow = defineRoute({
  operationId: 'followChat',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/{chat_id}/events',
  tag: 'Chats',
  summary: 'Follow a chat with server-sent events',
  description: `Server-sent events. For the caller's own chats, or any with the permission chats:read.

To start without a gap: open the stream, wait for \`chat.snapshot\`, then list the messages. A message that is not in that list
arrives as an event; a message in both has the same id.

Events with an id can be resumed: a client that reconnects with the last id as \`Last-Event-ID\` gets all later changes in
order; a message that changed several times arrives once, in its latest state. Events without an id (\`typing\`, \`call.speaking\`,
\`reply.delta\`, \`reply.dropped\`) are not repeated. A reply that the agent is writing in a web chat arrives in pieces; it becomes the
message whose \`reply\` has the same turn and round, or is dropped. A client may treat a reply as dropped if no piece of it
arrives for thirty seconds.

What happens in the chat's assignment comes as \`timeline.added\`, to callers that may read its timeline
(readAssignmentTimeline), which also has what happened before.

The state of a phone call of the chat comes as \`call.updated\`, and who speaks in it as \`call.speaking\`; list the calls
(listPhoneCallsOfChat) after \`chat.snapshot\`, as with messages. Its transcript comes as \`message.created\`, sentence by sentence.

A comment every twenty seconds keeps the connection alive. The stream ends when the caller loses access, when the reader
falls too far behind, and when the server stops; the client should reconnect. A member can have 200 open streams, 20 of
them of one chat.`,
  access: workspaceMember({ scope: 'chats:read' }),
  response: { status: 200, events: chatEvents, description: 'The events, until the connection ends.' },
  errors: {
    503: 'Too many streams are open, or the server is stopping; `Retry-After` says when to try again.',
  },
  handler: ({ context, services: { live }, params, lastEventId }) =>
    openChatStream(context, live, { chatId: params.chat_id, lastEventId }),
});

export const chatEventRoutes = [follow];
