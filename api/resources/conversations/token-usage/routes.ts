import { readTokenUsage } from '../../../../domain/conversations/chats/read-token-usage.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentTokenUsage } from './presenter.js';
import { ChatTokenUsageResponse } from './schemas.js';

const get = defineRoute({
  operationId: 'getChatTokenUsage',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/{chat_id}/token-usage',
  tag: 'Token usage',
  summary: 'Get what a chat has cost',
  description:
    "Tokens and credits of every model call of the agent, also of those whose answers were overtaken and never sent. One's own chats, or any with the permission chats:read.",
  access: workspaceMember({ scope: 'chats:read' }),
  response: { status: 200, schema: ChatTokenUsageResponse },
  handler: async ({ context, params }) => presentTokenUsage(await readTokenUsage(context, params.chat_id)),
});

export const tokenUsageRoutes = [get];
