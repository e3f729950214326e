import { addToWorkspaceDay } from '../../db/agent/agent-ledger.js';
import { insertTokenUsage } from '../../db/agent/token-usage.js';
import { dayOf } from '../chat-state/admit-turn.js';
import { priceCall } from '../kernel/ai-models/credits.js';
import type { ModelsContext } from '../kernel/context.js';
import type { RoundRef } from './prepare-round.js';
import type { AskedOf, ModelAnswer } from './record-answer.js';

/**
 * Records the token usage and the cost of a model call, once per call id. Uses its own transaction, before the answer
 * is stored, because the provider also charges for answers that are dropped or cannot be stored.
 */
export async function bookCall(
  context: ModelsContext,
  ref: RoundRef,
  asked: Pick<AskedOf, 'modelId'>,
  { callId, usage }: ModelAnswer,
): Promise<void> {
  const now = context.clock.now();
  const priced = priceCall(context.models, asked.modelId, usage);
  await context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const call = { chatId: ref.chatId, turnUuid: ref.turnUuid, callId, createdAt: now };
    const isNew = await insertTokenUsage(tx, { ...call, ...usage, ...priced });
    if (!isNew) return;
    await addToWorkspaceDay(tx, dayOf(now), { tokens: usage.totalTokens, credits: priced.credits });
  });
}
