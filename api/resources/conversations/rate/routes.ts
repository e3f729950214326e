import Type from 'typebox';
import { rateMessage } from '../../../../domain/conversations/chats/rate-message.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';

const RateMessageRequest = Type.Object(
  {
    rating: Type.Union([Type.Literal(1), Type.Literal(0)], { description: '1 is good, 0 is bad' }),
    comment: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2_000, description: 'What was good or bad about the message' }),
    ),
  },
  { $id: 'RateMessageRequest' },
);

const RateMessageResponse = Type.Object(
  { status: Type.Literal('success', { description: 'Always success: failures are problems' }) },
  { $id: 'RateMessageResponse' },
);

const rate = defineRoute({
  operationId: 'rateChatMessage',
  method: 'POST',
  path: '/w/{workspace_uuid}/chats/{chat_id}/messages/{message_uuid}/rate',
  tag: 'Chats',
  summary: 'Rate a message of the assistant',
  description:
    "The rating is in userRating and userRatingComment of the message. Rating again replaces both. For the caller's own chats, or any with the permission chats:write.",
  access: workspaceMember({ scope: 'chats:write' }),
  body: RateMessageRequest,
  example: {
    params: { chat_id: demo.chatWithoutWorkflow, message_uuid: demo.messageUuid },
    body: { rating: 1, comment: 'That helped.' },
  },
  response: { status: 200, schema: RateMessageResponse },
  handler: async ({ context, params, body }) => {
    await rateMessage(context, { chatId: params.chat_id, messageUuid: params.message_uuid }, body);
    return { status: 'success' as const };
  },
});

export const rateRoutes = [rate];
