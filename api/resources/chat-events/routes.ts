import { workspaceMember } from '../../http/access.js';
import { defineRoute } from '../../http/define-route.js';
import { openChatStream } from './open-stream.js';
import { chatEvents } from './schemas.js';

const follow = defineRoute({
  operationId: 'followChat',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/{chat_id}/events',
  tag: 'Chats',
  summary: 'Follow a chat as it goes on',
  description: `Server-sent events. One's own chats, or any with the permission chats:read.

To join without a gap: open the stream, wait for \`chat.snapshot\`, then list the messages. Whatever is not in that list
comes as an event; what is in both is the same message, known by its id.

Events with an id are kept: a client that comes back with the last one as \`Last-Event-ID\` gets what has happened since,
in order, a message that changed several times as it is now. Events without an id (\`typing\`, \`reply.delta\`,
\`reply.dropped\`) are over once they were sent. A reply that the agent is writing in a web chat comes in pieces; it
becomes the message whose \`reply\` has the same turn and round, or is dropped. A client may take one of which it has
heard nothing for thirty seconds for dropped.

A comment every twenty seconds keeps the connection open. It ends when the caller's access does, when the reader falls
too far behind, and when the server stops; the client comes back. A member may have 200 streams open, 20 of them of
one chat.`,
  access: workspaceMember({ scope: 'chats:read' }),
  response: { status: 200, events: chatEvents, description: 'The events, until the connection ends.' },
  errors: { 503: 'Too many streams are open, or the server stops; `Retry-After` tells when to try again.' },
  handler: ({ context, params, live, lastEventId }) =>
    openChatStream(context, live, { chatId: params.chat_id, lastEventId }),
});

export const chatEventRoutes = [follow];
