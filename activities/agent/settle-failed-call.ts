import { ApplicationFailure } from '@temporalio/activity';
import { bookLostCall, dropModelCall, tokensOfText } from '../../domain/agent/model-calls.js';
import { mayHaveCost } from '../../providers/model/chat-model.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';

/** A call of a model, and whether its request was handed to the provider: before that, nothing can cost anything. */
export interface SentCall {
  workspaceId: number;
  callId: string;
  isSent: boolean;
}

/**
 * Books a call of a model that failed, with an estimate, or forgets it if it cost nothing. Where the database fails as
 * well, the reconciler books the call later: the failure of the call is what its caller has to know.
 * @param heard the characters of the answer that had come
 */
export async function settleFailedCall(
  dependencies: Pick<ActivityDependencies, 'db' | 'clock' | 'logger'>,
  call: SentCall,
  error: unknown,
  heard: number,
): Promise<void> {
  const hasCost = call.isSent && !(error instanceof ApplicationFailure) && mayHaveCost(error);
  try {
    if (hasCost) await bookLostCall(dependencies, call, tokensOfText(heard));
    else await dropModelCall(dependencies, call);
  } catch (failure) {
    const code = failure instanceof Error ? failure.name : 'unknown';
    dependencies.logger.warn({ workspaceId: call.workspaceId, code }, 'a failed model call is booked later');
  }
}
