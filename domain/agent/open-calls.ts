import { selectOpenRequests } from '../../db/agent/tool-requests.js';
import type { ChatRow } from '../../db/conversations/chats.js';
import type { MessageRow } from '../../db/conversations/messages.js';
import type { Tx } from '../../db/tx.js';
import { openApproval } from '../chat-state/approvals.js';
import { callsWithoutResult } from './model-history.js';
import { outcomeUnknown } from './requests/claim-attempt.js';

/**
 * What the model is told of calls without a result. One waits for approval. The others are requests whose process died and
 * whose turn was given up: a turn asks the model only after all of its calls have results, so none is still under way.
 */
export async function outcomesOfOpen(
  tx: Tx,
  chat: ChatRow,
  history: readonly MessageRow[],
): Promise<Map<string, string>> {
  const without = callsWithoutResult(history);
  if (without.length === 0) return new Map();
  const [lost, waiting] = await Promise.all([
    selectOpenRequests(tx, chat.id, without),
    openApproval(tx, chat),
  ]);
  const unknown = JSON.stringify(outcomeUnknown);
  const pending = JSON.stringify({ ok: false, error: 'approval_pending' });
  return new Map([
    ...lost.map(({ toolCallId }): [string, string] => [toolCallId, unknown]),
    ...(waiting === undefined ? [] : [[waiting.toolCallId, pending] as [string, string]]),
  ]);
}
