import { listUsageByMember, readUsage } from '../../../../domain/agent/usage/read-usage.js';
import { readTokenUsage } from '../../../../domain/conversations/chats/read-token-usage.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import { Page, PageQuery } from '../../../http/schemas.js';
import { presentUsage } from './presenter.js';
import {
  ChatTokenUsageResponse,
  MemberUsageResponse,
  memberUsageFilters,
  UsageQuery,
  UsageResponse,
} from './schemas.js';

const tag = 'Token usage';

const get = defineRoute({
  operationId: 'getChatTokenUsage',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/{chat_id}/token-usage',
  tag,
  summary: 'Get the token usage of a chat',
  description:
    "Tokens and credits of all model calls of the agent, including those whose answers were superseded and never sent, and estimates of those whose answers were lost. For the caller's own chats, or any with the permission chats:read.",
  access: workspaceMember({ scope: 'chats:read' }),
  response: { status: 200, schema: ChatTokenUsageResponse },
  handler: async ({ context, params }) => {
    const { byModel, ofSpeech, ...totals } = await readTokenUsage(context, params.chat_id);
    const usageByModel = byModel.map(({ modelId: model, ...usage }) => ({ model, ...usage }));
    const sttUsage = ofSpeech.map(({ modelId: model, ...usage }) => ({ model, ...usage }));
    // The service speaks by realtime models, or has the carrier speak, whose bill says what that costs.
    return { ...totals, usageByModel, sttUsage, ttsUsage: [] };
  },
});

const getOfWorkspace = defineRoute({
  operationId: 'getTokenUsage',
  method: 'GET',
  path: '/w/{workspace_uuid}/token-usage',
  tag,
  summary: 'Get the token usage of a workspace',
  description:
    'Sums of all model calls by day, month, workflow or model, in the time zone of the workspace (docs/usage.md). Sums are kept with each call: they are exact and at once, for any number of calls.',
  access: workspaceMember({ scope: 'workspace:read', permission: 'workspace:read' }),
  query: UsageQuery,
  response: { status: 200, schema: UsageResponse },
  handler: async ({ context, query }) => presentUsage(await readUsage(context, query), query.groupBy),
});

const listByMember = defineRoute({
  operationId: 'listTokenUsageByMember',
  method: 'GET',
  path: '/w/{workspace_uuid}/token-usage/by-member',
  tag,
  summary: 'List the token usage of members in a month',
  description:
    'The members in whose chats agents used a model in the month, those with the most credits first.',
  access: workspaceMember({ scope: 'members:read', permission: 'members:read' }),
  query: PageQuery(['credits', 'memberId'], memberUsageFilters, 'desc'),
  response: { status: 200, schema: Page(MemberUsageResponse) },
  handler: async ({ context, query }) => presentPage(query, await listUsageByMember(context, query)),
});

export const tokenUsageRoutes = [get, getOfWorkspace, listByMember];
