import { type ModelUsage, usageOfChat } from '../../../db/agent/token-usage.js';
import {
  type CallCosts,
  costsOfCalls,
  type UsageOfCalls,
  usageOfCalls,
} from '../../../db/calls/calls-of-chat.js';
import { viewCreditBudget } from '../../agent/usage/credit-budget.js';
import { roundPrice } from '../../calls/compare-bill.js';
import { readableChat } from '../../chat-state/chat-access.js';
import { roundCredits } from '../../kernel/ai-models/credits.js';
import type { CommandContext } from '../../kernel/context.js';

type Totals = Pick<
  ModelUsage,
  | 'promptTokens'
  | 'completionTokens'
  | 'totalTokens'
  | 'cachedTokens'
  | 'audioInputTokens'
  | 'audioOutputTokens'
  | 'credits'
>;

interface ChatUsage extends Totals {
  /** Of models that are priced by tokens. */
  byModel: Omit<ModelUsage, 'speechSeconds'>[];
  /** Of models that write down what is said. */
  ofSpeech: (Pick<ModelUsage, 'modelId' | 'credits' | 'multiplier'> & { durationSeconds: number })[];
  /** Of the workspace; absent without a budget, and for members who may not see it. */
  creditsRemaining?: number;
  extraUsageEnabled?: boolean;
  /** How long its calls have lasted. */
  voiceDurationSeconds: number;
  /** What an hour of its calls has cost; absent without calls. */
  creditsPerHour?: number;
  /** What the carrier says of its calls; absent for members who may not see it. */
  phoneCalls?: { count: number; durationSeconds: number; durationDifference: number; costs: CallCosts[] };
}

/** Sums all model calls at their prices of the time, dropped answers included. @throws NotFound, Forbidden */
export async function readTokenUsage(
  { db, clock, actor }: CommandContext,
  chatId: number,
): Promise<ChatUsage> {
  const [rows, budget, spoken, costs] = await db.readInWorkspace(actor.workspaceId, async (tx) => {
    const chat = await readableChat(tx, actor, chatId);
    const seesBudget = actor.can('workspace:read');
    return Promise.all([
      usageOfChat(tx, chat.id),
      seesBudget ? viewCreditBudget(tx, clock.now()) : Promise.resolve(undefined),
      usageOfCalls(tx, chat.id),
      seesBudget ? costsOfCalls(tx, chat.id) : Promise.resolve(undefined),
    ]);
  });
  const usages = rows.map((usage) => ({ ...usage, credits: roundCredits(usage.credits) }));
  const sum = (field: keyof Totals) => usages.reduce((total, usage) => total + usage[field], 0);
  return {
    promptTokens: sum('promptTokens'),
    completionTokens: sum('completionTokens'),
    totalTokens: sum('totalTokens'),
    cachedTokens: sum('cachedTokens'),
    audioInputTokens: sum('audioInputTokens'),
    audioOutputTokens: sum('audioOutputTokens'),
    credits: roundCredits(sum('credits')),
    byModel: usages.flatMap(({ speechSeconds, ...usage }) => (speechSeconds === null ? usage : [])),
    ofSpeech: usages.flatMap(speechOf),
    voiceDurationSeconds: spoken.durationSeconds,
    ...(spoken.durationSeconds === 0
      ? {}
      : { creditsPerHour: roundCredits((spoken.credits * 3_600) / spoken.durationSeconds) }),
    ...(costs === undefined ? {} : { phoneCalls: phoneCallsOf(spoken, costs) }),
    ...(budget === undefined || budget.creditsRemaining === null
      ? {}
      : { creditsRemaining: budget.creditsRemaining, extraUsageEnabled: budget.extraUsageEnabled }),
  };
}

function speechOf({ speechSeconds, modelId, credits, multiplier }: ModelUsage) {
  if (speechSeconds === null) return [];
  return { modelId, credits, multiplier, durationSeconds: Math.round(speechSeconds * 1_000) / 1_000 };
}

function phoneCallsOf(
  { calls: count, durationSeconds, durationDifference }: UsageOfCalls,
  costs: CallCosts[],
) {
  return {
    count,
    durationSeconds,
    durationDifference,
    costs: costs.map(({ currency, price, costDifference }) => ({
      currency,
      price: roundPrice(price),
      costDifference: costDifference === null ? null : roundPrice(costDifference),
    })),
  };
}
