import { decideInterrupt } from '../../../../domain/conversations/chats/decide-interrupt.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentChat } from '../chats/presenter.js';
import { ChatResponse } from '../chats/schemas.js';
import { DecideInterruptRequest } from './schemas.js';

const decide = defineRoute({
  operationId: 'decideInterrupt',
  method: 'POST',
  path: '/w/{workspace_uuid}/chats/{chat_id}/interrupt',
  tag: 'Chats',
  summary: 'Decide what a chat waits for',
  description:
    'Answers the `interrupt` of a chat. A tool call that is approved is run once, with the arguments shown, and the agent goes on; of one that is rejected the agent is told, with the comment. To approve a handoff is to take the chat, which is the caller’s for half an hour; to reject it is to return the chat to the agent, with the comment as a note. About a tool call, another person than the member of the chat decides, and no application with an OAuth token (403). The same decision about a tool call once more changes nothing.',
  access: workspaceMember({ scope: 'chats:admin', permission: 'chats:admin' }),
  body: DecideInterruptRequest,
  example: {
    params: { chat_id: demo.chatWithInterrupt },
    body: {
      interruptId: demo.interruptId,
      decision: 'reject',
      comment: 'The member has called us meanwhile.',
    },
  },
  response: { status: 200, schema: ChatResponse },
  errors: {
    409: 'The chat does not wait for this decision any more (`interrupt_over`), its agent is paused, archived or disabled (`agent_not_active`), or another colleague has claimed it (`claimed_by_another`).',
  },
  handler: async ({ context, params, body }) =>
    presentChat(await decideInterrupt(context, params.chat_id, body)),
});

export const interruptRoutes = [decide];
