import { type ModelUsage, usageOfChat } from '../../../db/agent/token-usage.js';
import { readableChat } from '../../chat-state/chat-access.js';
import { roundCredits } from '../../kernel/ai-models/credits.js';
import type { CommandContext } from '../../kernel/context.js';

type Totals = Pick<
  ModelUsage,
  'promptTokens' | 'completionTokens' | 'totalTokens' | 'cachedTokens' | 'credits'
>;

/** Sums all model calls at their prices of the time, dropped answers included. @throws NotFound, Forbidden */
export async function readTokenUsage(
  { db, actor }: CommandContext,
  chatId: number,
): Promise<Totals & { byModel: ModelUsage[] }> {
  const rows = await db.readInWorkspace(actor.workspaceId, async (tx) =>
    usageOfChat(tx, (await readableChat(tx, actor, chatId)).id),
  );
  const byModel = rows.map((usage) => ({ ...usage, credits: roundCredits(usage.credits) }));
  const sum = (field: keyof Totals) => byModel.reduce((total, usage) => total + usage[field], 0);
  return {
    promptTokens: sum('promptTokens'),
    completionTokens: sum('completionTokens'),
    totalTokens: sum('totalTokens'),
    cachedTokens: sum('cachedTokens'),
    credits: roundCredits(sum('credits')),
    byModel,
  };
}
