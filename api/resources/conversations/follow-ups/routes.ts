import { cancelFollowUp } from '../../../../domain/conversations/chats/cancel-follow-up.js';
import type { FollowUpView } from '../../../../domain/conversations/chats/list-follow-ups.js';
import { listFollowUps } from '../../../../domain/conversations/chats/list-follow-ups.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { FollowUpPage, ListFollowUpsQuery } from './schemas.js';

const list = defineRoute({
  operationId: 'listFollowUps',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/{chat_id}/follow-ups',
  tag: 'Chats',
  summary: 'List the follow-ups of a chat',
  description:
    "When the agent will write to the member on its own, and with which instructions. Only pending follow-ups by default; soonest first. For the caller's own chats, or any with the permission chats:read.",
  access: workspaceMember({ scope: 'chats:read' }),
  query: ListFollowUpsQuery,
  example: { params: { chat_id: demo.chatWithoutWorkflow } },
  response: { status: 200, schema: FollowUpPage },
  handler: async ({ context, params, query }) => {
    const { status = ['pending'], ...page } = query;
    return presentPage(query, await listFollowUps(context, params.chat_id, status, page), presentFollowUp);
  },
});

const cancel = defineRoute({
  operationId: 'cancelFollowUp',
  method: 'DELETE',
  path: '/w/{workspace_uuid}/chats/{chat_id}/follow-ups/{follow_up_id}',
  tag: 'Chats',
  summary: 'Cancel a follow-up',
  description:
    "The agent will not act on it. Cancelling a cancelled follow-up changes nothing. For the caller's own chats, or any with the permission chats:write.",
  access: workspaceMember({ scope: 'chats:write' }),
  example: { params: { chat_id: demo.chatWithoutWorkflow } },
  response: { status: 204 },
  errors: { 409: 'The follow-up has fired (`follow_up_fired`).' },
  handler: async ({ context, params }) => cancelFollowUp(context, params.chat_id, params.follow_up_id),
});

function presentFollowUp(followUp: FollowUpView) {
  const { firedAt, cancelledAt } = followUp;
  const status = firedAt !== null ? 'fired' : cancelledAt === null ? 'pending' : 'cancelled';
  return { ...followUp, status } as const;
}

export const followUpRoutes = [list, cancel];
