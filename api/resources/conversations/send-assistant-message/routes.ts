import Type from 'typebox';
import type { MessageRow } from '../../../../db/conversations/messages.js';
import { messageText } from '../../../../domain/channels/message-text.js';
import { sendAssistantMessage } from '../../../../domain/conversations/chats/send-assistant-message.js';
import { scheduleMessage } from '../../../../domain/conversations/scheduled-messages/schedule-message.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { type AnswerOf, Id, Timestamp, Uuid } from '../../../http/schemas.js';
import { FilesOfMessage, maxText } from '../messages/schemas.js';
import { presentScheduledMessage } from '../scheduled-messages/presenter.js';
import { ScheduledMessageResponse, SendAt } from '../scheduled-messages/schemas.js';

const SendAssistantMessageRequest = Type.Object({
  message: Type.String({
    minLength: 1,
    maxLength: maxText,
    description:
      'The text for the member. In an SMS chat, a text of more than 1,600 characters becomes several messages, ten at most',
  }),
  files: Type.Optional(
    Type.Array(Id, {
      ...FilesOfMessage,
      description:
        'Ids of files that the caller may read. The member and the people in the chat may read them from then on. In an SMS chat they are sent by MMS: JPG, PNG and GIF, and PDF, CSV, MP3 and MP4 up to 500 kB, 5 MB together. Needs the scope files:read',
    }),
  ),
  sendAt: Type.Optional({
    ...SendAt,
    description:
      'When the message is sent, instead of at once: in the future, within a year. Until then it can be changed and cancelled. Excludes tool_calls',
  }),
  tool_calls: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.Optional(
          Type.String({ maxLength: 200, description: 'Ignored: the service assigns its own ids' }),
        ),
        type: Type.Literal('function', { description: 'Every tool is a function' }),
        function: Type.Object({
          name: Type.String({
            minLength: 1,
            maxLength: 64,
            description: 'Name of a tool that the agent has in the chat now, such as select_task or handoff',
          }),
          arguments: Type.String({
            maxLength: maxText,
            description: 'Arguments of the tool: a text that is a JSON object, as a model writes it',
          }),
        }),
      }),
      {
        maxItems: 10,
        description:
          'OpenAI tool calls of tools that the agent has in the chat at present, run in this order before the message is sent. All of them and the message are done, or nothing is. Each needs the permission with which the caller may do the same by itself, such as data:read for read_data (403 otherwise)',
      },
    ),
  ),
});

const SentMessage = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    role: Type.Literal('assistant', { description: 'As what it was sent' }),
    content: Type.String({ description: 'Text of the message' }),
    timestamp: Timestamp,
  },
  { $id: 'SentMessage' },
);

const Sent = Type.Object({
  success: Type.Literal(true),
  message: SentMessage,
  parts: Type.Array(SentMessage, {
    minItems: 1,
    description:
      'The message, and after it those that a long text needs in an SMS chat. Each has a delivery of its own',
  }),
});

const Scheduled = Type.Object({
  success: Type.Literal(true),
  scheduledMessage: ScheduledMessageResponse,
});

const SendAssistantMessageResponse = Type.Union([Sent, Scheduled], {
  $id: 'SendAssistantMessageResponse',
  description: 'The message that was sent; with sendAt, the message that will be',
});

function presentSent({ id, uuid, content, createdAt }: MessageRow): AnswerOf<typeof SentMessage> {
  return { id, uuid, role: 'assistant', content: messageText(content), timestamp: createdAt };
}

const send = defineRoute({
  operationId: 'sendAssistantMessage',
  method: 'POST',
  path: '/w/{workspace_uuid}/chats/{chat_id}/send-assistant-message',
  tag: 'Chats',
  summary: 'Send a message as the assistant',
  description:
    'Answers the member of an SMS, email or web chat instead of the agent, pauses the agent (operator_reply) and clears needsResponse. Tool calls run first; if one of them, a file or the delivery is refused (400, with the reason as its code), nothing is done. An SMS is queued: its smsDeliveryStatus shows the outcome. With sendAt, the message is stored and all of this happens at that time; what is refused then is told by the scheduled message, and a colleague is alerted.',
  access: workspaceMember({ scope: 'chats:admin', permission: 'chats:admin' }),
  body: SendAssistantMessageRequest,
  example: {
    params: { chat_id: demo.chatWithoutWorkflow },
    body: { message: 'This is what to do after your visit.', files: [demo.fileId] },
  },
  response: { status: 201, schema: SendAssistantMessageResponse },
  errors: {
    409: 'The chat or the workspace has as many pending scheduled messages as allowed (`too_many_scheduled_messages`).',
  },
  handler: async ({ context, params, body }) => {
    const toolCalls = (body.tool_calls ?? []).map((call) => call.function);
    const { message, files = [], sendAt } = body;
    const wanted = { chatId: params.chat_id, message, toolCalls, files };
    if (sendAt !== undefined) {
      const scheduled = await scheduleMessage(context, { ...wanted, sendAt });
      return { success: true as const, scheduledMessage: presentScheduledMessage(scheduled) };
    }
    const [first, ...further] = await sendAssistantMessage(context, wanted);
    const sent = presentSent(first);
    return { success: true as const, message: sent, parts: [sent, ...further.map(presentSent)] };
  },
});

export const sendAssistantMessageRoutes = [send];
