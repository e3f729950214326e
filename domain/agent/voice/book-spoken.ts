import { createHash } from 'node:crypto';
import { removeOpenCall } from '../../../db/agent/open-model-calls.js';
import { insertTokenUsage } from '../../../db/agent/token-usage.js';
import { patchPhoneCall } from '../../../db/calls/phone-calls.js';
import type { Tx } from '../../../db/tx.js';
import { findSpentMonth, stopForCredits } from '../../chat-state/credit-budget.js';
import { creditsOf, priceCall, roundCredits } from '../../kernel/ai-models/credits.js';
import type { ModelCatalogue } from '../../kernel/ai-models/model-catalogue.js';
import { plainMultipliers } from '../../kernel/ai-models/multipliers.js';
import { addUsage, type CallUsage, tokensOfText } from '../model-calls.js';
import type { BridgedCallRef, LockedBridgedCall } from './bridged-call.js';

/** Tokens that models count for a second of sound. */
const tokensPerSecond = 10;

/** Books a response of a realtime model, once by its id. */
export async function bookResponse(
  tx: Tx,
  models: ModelCatalogue,
  ref: BridgedCallRef,
  locked: LockedBridgedCall,
  {
    responseId,
    modelId,
    usage,
    isEstimated,
  }: { responseId: string; modelId: string; usage: CallUsage; isEstimated: boolean },
  now: Date,
): Promise<void> {
  const priced = priceCall(models, modelId, usage);
  await book(tx, locked, { bookingId: bookingId(ref, responseId), usage, priced, isEstimated }, now);
}

/** Books that the words of the caller were written down: by the minute, as speech to text is priced. */
export async function bookTranscription(
  tx: Tx,
  models: ModelCatalogue,
  ref: BridgedCallRef,
  locked: LockedBridgedCall,
  { itemId, modelId, used }: { itemId: string; modelId: string; used: CallUsage | { seconds: number } },
  now: Date,
): Promise<void> {
  const isTimed = 'seconds' in used;
  const usage = isTimed ? { promptTokens: 0, completionTokens: 0, cachedTokens: 0, totalTokens: 0 } : used;
  const seconds = isTimed ? used.seconds : (used.audioInputTokens ?? used.promptTokens) / tokensPerSecond;
  const multiplier = models.find(modelId)?.multiplier ?? plainMultipliers.multiplier;
  const credits = roundCredits((seconds / 60) * multiplier);
  const priced = { ...plainMultipliers, multiplier, modelId, credits };
  const heard = { bookingId: bookingId(ref, `heard ${itemId}`), usage, priced, speechSeconds: seconds };
  await book(tx, locked, heard, now);
}

/** Books an answer of a chat model, once. @param usage `lost`: the answer is, after so many characters */
export async function bookAnswer(
  tx: Tx,
  locked: LockedBridgedCall,
  { bookingId, usage }: { bookingId: string; usage: CallUsage | { lostAfter: number } },
  now: Date,
): Promise<void> {
  const open = await removeOpenCall(tx, bookingId);
  if (open === undefined) return;
  const { modelId, multiplier, inputMultiplier, outputMultiplier, cachedMultiplier, promptTokens } = open;
  const isEstimated = 'lostAfter' in usage;
  const completionTokens = isEstimated ? tokensOfText(usage.lostAfter) : 0;
  const used = isEstimated
    ? { promptTokens, completionTokens, cachedTokens: 0, totalTokens: promptTokens + completionTokens }
    : usage;
  const multipliers = { multiplier, inputMultiplier, outputMultiplier, cachedMultiplier };
  const priced = { ...multipliers, modelId, credits: creditsOf(used, multipliers) };
  await book(tx, locked, { bookingId, usage: used, priced, isEstimated }, now);
}

/** A booking has the same id however often it is made. */
function bookingId({ callId, attempt }: BridgedCallRef, item: string): string {
  const hash = createHash('sha256').update(`${callId} ${attempt} ${item}`).digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

async function book(
  tx: Tx,
  { call, chat }: LockedBridgedCall,
  {
    bookingId: callId,
    usage,
    priced,
    isEstimated = false,
    speechSeconds = null,
  }: {
    bookingId: string;
    usage: CallUsage;
    priced: ReturnType<typeof priceCall>;
    isEstimated?: boolean;
    speechSeconds?: number | null;
  },
  now: Date,
): Promise<void> {
  const { modelId, credits, ...multipliers } = priced;
  const counted = { audioInputTokens: 0, audioOutputTokens: 0, ...usage, credits };
  const isNew = await insertTokenUsage(tx, {
    chatId: chat.id,
    turnUuid: call.uuid,
    callId,
    createdAt: now,
    modelId,
    ...multipliers,
    ...counted,
    isEstimated,
    speechSeconds,
  });
  if (!isNew) return;
  const { memberId, definitionId } = chat;
  await addUsage(tx, { memberId, definitionId, modelId }, counted, now);
  await patchPhoneCall(tx, call.id, { credits: roundCredits(call.credits + credits), updatedAt: now });
  // The agent says goodbye, and a colleague is alerted.
  const spent = chat.agentStoppedReason === null ? await findSpentMonth(tx, now) : undefined;
  if (spent !== undefined) await stopForCredits(tx, chat, spent.until);
}
