import Type from 'typebox';
import { requestSummary } from '../../../../domain/conversations/summaries/request-summary.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentChat } from '../chats/presenter.js';
import { ChatResponse } from '../chats/schemas.js';

const summarize = defineRoute({
  operationId: 'summarizeChat',
  method: 'POST',
  path: '/w/{workspace_uuid}/chats/{chat_id}/summarize',
  tag: 'Chats',
  summary: 'Summarize a chat',
  description:
    "Has the model write the title and the summary of a chat from what its member may read, and waits for it. Of a long chat, the model reads the beginning and the newest messages. For the caller's own chats, or any with the permission chats:write. The texts are the model's: show them as plain text. If the model gives no summary, the answer is 500 `summarization_failed`, and nothing is changed.",
  access: workspaceMember({ scope: 'chats:write' }),
  query: Type.Object({
    update_labels: Type.Boolean({
      default: false,
      description:
        'Whether the chat also gets the labels of the workspace that fit it; those that it has stay',
    }),
  }),
  idempotent: 'by_run',
  response: { status: 200, schema: ChatResponse },
  errors: {
    409: 'Nothing has been said in the chat (`nothing_to_summarize`), it was deleted meanwhile (`chat_changed`), or tokens or credits are used up (`token_budget`).',
    503: 'The run cannot be reached, or does not end in time (`run_unreachable`). Repeated with the same Idempotency-Key, the request finds its run.',
  },
  handler: async ({ context, services: { runs }, params, query, requestUuid, signal, begun }) =>
    presentChat(
      await requestSummary(context, runs, params.chat_id, {
        requestUuid,
        updateLabels: query.update_labels,
        signal,
        begun,
      }),
    ),
});

export const summarizeRoutes = [summarize];
