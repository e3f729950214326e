import Type from 'typebox';
import { leaveNote } from '../../../../domain/conversations/chats/leave-note.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentMessage } from '../messages/presenter.js';
import { OpenAIMessageResponse } from '../messages/schemas.js';
import { maxNote } from './schemas.js';

const leave = defineRoute({
  operationId: 'leaveChatNote',
  method: 'POST',
  path: '/w/{workspace_uuid}/chats/{chat_id}/notes',
  tag: 'Chats',
  summary: 'Leave a note in a chat',
  description:
    'A message with the role system, for colleagues and the agent, which reads it with its next turn. The member never sees it, and nothing else of the chat changes.',
  access: workspaceMember({ scope: 'chats:write', permission: 'chats:write' }),
  body: Type.Object({
    text: Type.String({ minLength: 1, maxLength: maxNote, description: 'The note, plain' }),
  }),
  example: { params: { chat_id: demo.chatWithoutWorkflow }, body: { text: 'Her daughter calls back.' } },
  response: { status: 201, schema: OpenAIMessageResponse },
  handler: async ({ context, params, body }) =>
    presentMessage(await leaveNote(context, params.chat_id, body.text)),
});

export const noteRoutes = [leave];
