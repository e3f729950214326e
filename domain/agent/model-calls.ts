import { addToWorkspaceDay } from '../../db/agent/agent-ledger.js';
import {
  addToMonth,
  findCreditBudget,
  lockMonth,
  readCreditsOfMonth,
} from '../../db/agent/credit-budgets.js';
import {
  insertOpenCall,
  type OpenModelCallRow,
  removeOpenCall,
  selectCallsBegunBefore,
} from '../../db/agent/open-model-calls.js';
import { insertTokenUsage } from '../../db/agent/token-usage.js';
import { addToSums, type UsageKey } from '../../db/agent/usage-sums.js';
import { type ChatRow, lockChat } from '../../db/conversations/chats.js';
import type { Tx } from '../../db/tx.js';
import { dayOf as utcDayOf } from '../chat-state/admit-turn.js';
import { isLimited, isSpent } from '../chat-state/credit-budget.js';
import { notifyOfCredits } from '../events/credits/notify-of-credits.js';
import { creditsOf, type PricedCall, priceCall } from '../kernel/ai-models/credits.js';
import type { ModelCatalogue } from '../kernel/ai-models/model-catalogue.js';
import type { ServiceContext } from '../kernel/context.js';
import { dayOf, monthAt } from '../lib/local-time.js';

/** What a provider reports of one call. Tokens of sound are part of the prompt's and the completion's. */
export interface CallUsage {
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number;
  totalTokens: number;
  audioInputTokens?: number;
  audioOutputTokens?: number;
}

interface NewCall {
  callId: string;
  chat: Pick<ChatRow, 'id' | 'memberId' | 'definitionId'>;
  turnUuid: string | null;
  modelId: string;
  /** What is sent, as it is counted by `estimateTokens`. */
  promptTokens: number;
}

/**
 * Notes that a call begins, so that it is paid for even if its answer is lost. With a limit, calls of a workspace begin
 * one after the other, and none begins when those before have used the budget up: what runs at that moment may exceed it
 * by its answers. @returns until when the credits are used up; undefined if the call may begin
 */
export async function openModelCall(
  tx: Tx,
  models: ModelCatalogue,
  { callId, chat, turnUuid, modelId, promptTokens }: NewCall,
  now: Date,
): Promise<Date | undefined> {
  const budget = await findCreditBudget(tx);
  if (isLimited(budget)) {
    const { month, until } = monthAt(now, budget.timezone);
    // The order of the locks: the chat's row before the month's.
    await lockChat(tx, chat.id);
    await lockMonth(tx, month);
    if (isSpent(await readCreditsOfMonth(tx, month), budget.monthlyCredits)) return until;
  }
  const priced = priceCall(models, modelId, { promptTokens, completionTokens: 0, cachedTokens: 0 });
  const { id: chatId, memberId, definitionId } = chat;
  await insertOpenCall(tx, {
    callId,
    chatId,
    memberId,
    definitionId,
    turnUuid,
    promptTokens,
    ...priced,
    begunAt: now,
  });
  return undefined;
}

/** Books a call with the usage that the provider reports, once. */
export async function bookModelCall(
  { db, clock }: ServiceContext,
  { workspaceId, callId }: { workspaceId: number; callId: string },
  usage: CallUsage,
): Promise<void> {
  const now = clock.now();
  await db.inWorkspace(workspaceId, (tx) => bookModelCallIn(tx, callId, usage, now));
}

/** The last thing in its transaction: the sums of the workspace are locked after everything else, and not for long. */
export async function bookModelCallIn(tx: Tx, callId: string, usage: CallUsage, now: Date): Promise<void> {
  const call = await removeOpenCall(tx, callId);
  if (call === undefined) return;
  await book(tx, call, { ...usage, credits: creditsOf(usage, call) }, { at: now, isEstimated: false });
}

/** Books a call whose answer is lost, although the provider may have worked: the prompt, and what was heard of it. */
export async function bookLostCall(
  { db, clock }: ServiceContext,
  { workspaceId, callId }: { workspaceId: number; callId: string },
  completionTokens: number,
): Promise<void> {
  const now = clock.now();
  await db.inWorkspace(workspaceId, async (tx) => {
    const call = await removeOpenCall(tx, callId);
    if (call !== undefined) await bookEstimate(tx, call, completionTokens, now);
  });
}

/** Forgets a call that the provider has refused before it worked. */
export async function dropModelCall(
  { db }: ServiceContext,
  { workspaceId, callId }: { workspaceId: number; callId: string },
): Promise<void> {
  await db.inWorkspace(workspaceId, (tx) => removeOpenCall(tx, callId));
}

/** No call is under way for so long: activities end sooner. */
const maxCallMs = 15 * 60_000;
const batchSize = 100;

/** Books the calls whose process died, at the time when they began. @returns whether some are left */
export async function bookCrashedCalls({ db, clock }: ServiceContext, workspaceId: number): Promise<boolean> {
  const before = new Date(clock.now().getTime() - maxCallMs);
  const crashed = await db.readInWorkspace(workspaceId, (tx) =>
    selectCallsBegunBefore(tx, before, batchSize),
  );
  for (const { callId } of crashed) {
    await db.inWorkspace(workspaceId, async (tx) => {
      const call = await removeOpenCall(tx, callId);
      if (call !== undefined) await bookEstimate(tx, call, 0, call.begunAt);
    });
  }
  return crashed.length === batchSize;
}

async function bookEstimate(
  tx: Tx,
  call: OpenModelCallRow,
  completionTokens: number,
  at: Date,
): Promise<void> {
  const { promptTokens } = call;
  const counted = { promptTokens, completionTokens, cachedTokens: 0 };
  const usage = { ...counted, totalTokens: promptTokens + completionTokens };
  await book(tx, call, { ...usage, credits: creditsOf(counted, call) }, { at, isEstimated: true });
}

async function book(
  tx: Tx,
  call: OpenModelCallRow,
  used: CallUsage & { credits: number },
  { at, isEstimated }: { at: Date; isEstimated: boolean },
): Promise<void> {
  const { chatId, turnUuid, callId, memberId, definitionId, modelId } = call;
  const { multiplier, inputMultiplier, outputMultiplier, cachedMultiplier } = call;
  const counted = { audioInputTokens: 0, audioOutputTokens: 0, ...used };
  await insertTokenUsage(tx, {
    chatId,
    turnUuid,
    callId,
    createdAt: at,
    modelId,
    multiplier,
    inputMultiplier,
    outputMultiplier,
    cachedMultiplier,
    ...counted,
    isEstimated,
  });
  await addUsage(tx, { memberId, definitionId, modelId }, counted, at);
}

/** Adds a call to all sums of the workspace, and tells its admins if the credits of the month run out. */
export async function addUsage(
  tx: Tx,
  of: Omit<UsageKey, 'day'>,
  used: Required<CallUsage> & Pick<PricedCall, 'credits'>,
  at: Date,
): Promise<void> {
  const { timezone } = await findCreditBudget(tx);
  const day = dayOf(at, timezone);
  await addToWorkspaceDay(tx, utcDayOf(at), { tokens: used.totalTokens, credits: used.credits });
  await addToSums(tx, { ...of, day }, { calls: 1, ...used });
  const month = await addToMonth(tx, day.slice(0, 7), used.credits);
  await notifyOfCredits(tx, month, at);
}

const charactersPerToken = 4;
const tokensPerImage = 1_000;

/** Estimates the tokens of a request from the length of its texts. */
export function estimateTokens(parts: readonly unknown[]): number {
  let images = 0;
  const text = JSON.stringify(parts, (_key, value) => {
    if (typeof value !== 'object' || value === null || !isImage(value)) return value;
    images += 1;
    return null;
  });
  return Math.ceil(text.length / charactersPerToken) + images * tokensPerImage;
}

function isImage(part: object): boolean {
  return 'type' in part && typeof part.type === 'string' && part.type.startsWith('image');
}

/** The tokens of a text whose end is unknown. */
export function tokensOfText(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}
