import { signalTyping } from '../../../../domain/conversations/chat-events/signal-typing.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';

const signal = defineRoute({
  operationId: 'signalTyping',
  method: 'POST',
  path: '/w/{workspace_uuid}/chats/{chat_id}/typing',
  tag: 'Chats',
  summary: 'Send a typing notice',
  description:
    'Readers who follow the chat get a `typing` event, at most one in two seconds. Nothing is stored. Needs the right to send messages in the chat.',
  access: workspaceMember({ scope: 'chats:write' }),
  response: { status: 204 },
  handler: ({ context, services, params }) => signalTyping(context, services.live, params.chat_id),
});

export const typingRoutes = [signal];
