import { selectOpenRequests } from '../../../db/agent/tool-requests.js';
import type { MessageRow } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/database.js';
import { callsWithoutResult } from '../model-history.js';
import { outcomeUnknown } from './claim-request.js';

/**
 * What the model is told of requests whose process died, in a turn that was given up since. A turn has no request under way
 * while it asks the model.
 */
export async function outcomesOfLost(
  tx: Tx,
  chatId: number,
  history: readonly MessageRow[],
): Promise<Map<string, string>> {
  const without = callsWithoutResult(history);
  if (without.length === 0) return new Map();
  const lost = await selectOpenRequests(tx, chatId, without);
  return new Map(lost.map(({ toolCallId }) => [toolCallId, JSON.stringify(outcomeUnknown)]));
}
