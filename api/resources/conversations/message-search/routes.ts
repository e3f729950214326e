import {
  type MessageHit,
  searchMessages,
} from '../../../../domain/conversations/message-search/search-messages.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { excerptHtml } from '../../../http/excerpt-html.js';
import { MessageSearchResponse, SearchMessagesQuery } from './schemas.js';

const search = defineRoute({
  operationId: 'searchMessages',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/message-search',
  tag: 'Chats',
  summary: 'Search messages by their words',
  description:
    "Answers with messages of people and assistants, without notes and results of tools, the newest first. Without the permission chats:read, only messages of the caller's own chats.",
  access: workspaceMember({ scope: 'chats:read' }),
  query: SearchMessagesQuery,
  admission: 'searches',
  example: { query: { q: 'Saturday' } },
  response: { status: 200, schema: MessageSearchResponse },
  errors: {
    503: 'The search found too much to sort within three seconds (`search_too_slow`), or too many are in progress (`too_many_large_requests`).',
  },
  handler: async ({ context, query }) => {
    const { hits, next } = await searchMessages(context, query);
    return { items: hits.map(presentHit), next };
  },
});

function presentHit({ uuid: id, excerpt, ...hit }: MessageHit) {
  const role = hit.role === 'user' ? 'user' : 'assistant';
  return { ...hit, id, role, excerpt: excerptHtml(excerpt) } as const;
}

export const messageSearchRoutes = [search];
