import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure, cancellationSignal } from '@temporalio/activity';
import { leaseMs } from '../../domain/calls/call-times.js';
import { awaitsWords } from '../../domain/conversations/summaries/await-words.js';
import {
  type AskedSummary,
  prepareSummary,
  type SummaryRef,
  storeSummary,
} from '../../domain/conversations/summaries/write-summary.js';
import { modelName } from '../../domain/kernel/ai-models/entries.js';
import { ProviderBusy, ProviderRefused, ProviderUnusable } from '../../providers/failures.js';
import type { ChatModelAnswer, ChatModelRequest } from '../../providers/model/chat-model.js';
import type { SummaryOutcome } from '../../workflows/contracts/commands.js';
import { settleFailedCall } from '../agent/settle-failed-call.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { retryLater } from '../kernel/retry-later.js';
import { withHeartbeat } from '../kernel/with-heartbeat.js';

type Dependencies = Pick<
  ActivityDependencies,
  'outreach' | 'db' | 'clock' | 'models' | 'agentBudgets' | 'logger' | 'model'
>;

/** By then, the lease of a process that died has run out, also if the clocks differ a little. */
const wordsWithinMs = leaseMs + 5_000;
const checkEveryMs = 250;

export function summaryActivities(dependencies: Dependencies) {
  return {
    /** Asks the model for the summary of a chat and stores it. Repeated after it was stored, it does nothing. */
    async summarizeChat(ref: SummaryRef): Promise<{ outcome: SummaryOutcome }> {
      await withHeartbeat(() => awaitLastWords(dependencies, ref));
      const prepared = await prepareSummary(dependencies, ref);
      if (prepared.kind === 'settled') return { outcome: prepared.outcome };
      const answer = await withHeartbeat(() => ask(dependencies, ref, prepared));
      if (answer === undefined) return { outcome: 'failed' };
      const outcome = await storeSummary(dependencies, ref, prepared, answer);
      if (outcome !== 'unreadable') return { outcome };
      throw ApplicationFailure.create({ type: 'summary_unreadable', message: 'the model gave no summary' });
    },
  };
}

/** Waits in the activity: a timer of the run would be an Action for a second or two. */
async function awaitLastWords(dependencies: Dependencies, ref: SummaryRef): Promise<void> {
  const until = performance.now() + wordsWithinMs;
  while (performance.now() < until && (await awaitsWords(dependencies, ref))) {
    await delay(checkEveryMs, undefined, { signal: cancellationSignal() });
  }
}

/** The model's answer; undefined if it refuses the request, or its account cannot be used, because a caller waits. */
async function ask(
  dependencies: Dependencies,
  { workspaceId }: SummaryRef,
  { callId, modelId, messages, tools }: AskedSummary,
): Promise<ChatModelAnswer | undefined> {
  const { model } = dependencies;
  const call = { workspaceId, callId, isSent: false };
  try {
    if (model === undefined) throw ApplicationFailure.nonRetryable('no model is configured');
    const signal = cancellationSignal();
    signal.throwIfAborted();
    call.isSent = true;
    return await model.complete({
      model: modelName(modelId),
      messages: messages as ChatModelRequest['messages'],
      tools,
      signal,
    });
  } catch (error) {
    await settleFailedCall(dependencies, call, error, 0);
    if (error instanceof ProviderRefused || error instanceof ProviderUnusable) return undefined;
    throw error instanceof ProviderBusy ? retryLater(error) : error;
  }
}
