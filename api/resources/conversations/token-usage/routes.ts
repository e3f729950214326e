import { readTokenUsage } from '../../../../domain/conversations/chats/read-token-usage.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { ChatTokenUsageResponse } from './schemas.js';

const get = defineRoute({
  operationId: 'getChatTokenUsage',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/{chat_id}/token-usage',
  tag: 'Token usage',
  summary: 'Get the token usage of a chat',
  description:
    "Tokens and credits of all model calls of the agent, including those whose answers were superseded and never sent. For the caller's own chats, or any with the permission chats:read.",
  access: workspaceMember({ scope: 'chats:read' }),
  response: { status: 200, schema: ChatTokenUsageResponse },
  handler: async ({ context, params }) => {
    const { byModel, ...totals } = await readTokenUsage(context, params.chat_id);
    return { ...totals, usageByModel: byModel.map(({ modelId: model, ...usage }) => ({ model, ...usage })) };
  },
});

export const tokenUsageRoutes = [get];
