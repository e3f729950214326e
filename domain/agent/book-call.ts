import { addToWorkspaceDay } from '../../db/agent/agent-ledger.js';
import { insertTokenUsage } from '../../db/agent/token-usage.js';
import { dayOf } from '../chat-state/admit-turn.js';
import { priceCall } from '../kernel/ai-models/price-call.js';
import type { ModelsContext } from '../kernel/context.js';
import type { RoundRef } from './prepare-round.js';
import type { AskedOf, ModelAnswer } from './record-answer.js';

/**
 * Books what a call of the model used, once by its id. In a transaction of its own and before it is decided what
 * becomes of the answer: one that is dropped, or that cannot be stored, is paid all the same.
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
