import { defineTool } from '../define-tool.js';
import { routeOf } from '../route-of.js';
import { reads } from './annotations.js';

const ofWorkspace = defineTool({
  name: 'get_token_usage',
  title: 'Get the token usage of the workspace',
  description:
    'Returns the tokens and credits that the agents of the workspace have used, in sums by day, month, workflow or model (groupBy), from the first to the last day. Use it for questions about cost. For one chat, use get_chat_token_usage.',
  route: routeOf('getTokenUsage'),
  annotations: reads,
});

const ofChat = defineTool({
  name: 'get_chat_token_usage',
  title: 'Get the token usage of a chat',
  description:
    'Returns the tokens and credits that the agent has used in one chat, in all and by model. For sums of the workspace, use get_token_usage.',
  route: routeOf('getChatTokenUsage'),
  annotations: reads,
});

export const usageTools = [ofWorkspace, ofChat];
