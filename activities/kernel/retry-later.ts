import { ApplicationFailure } from '@temporalio/activity';
import { ProviderBusy, type ProviderName, ProviderUnusable } from '../../providers/failures.js';

const names: Record<ProviderName, string> = {
  carrier: 'the carrier',
  mail: 'the mail server',
  model: 'the model',
  storage: 'the storage',
};

/** Cap on the delay that a provider asks for: while an activity waits for its retry, its run cannot react to pokes. */
export const maxRetryMs = 5 * 60_000;

/** The error that makes Temporal retry when the provider may be available again; other errors are unchanged. */
export function retryLater(error: unknown, maxMs = maxRetryMs): unknown {
  if (error instanceof ProviderBusy) {
    return later(`${error.provider}_busy`, `${names[error.provider]} is busy`, error.retryAfterMs, maxMs);
  }
  if (error instanceof ProviderUnusable) {
    const message = `the account at ${names[error.provider]} cannot be used (${error.code})`;
    return later(`${error.provider}_unusable`, message, error.details.retryAfterMs, maxMs);
  }
  return error;
}

function later(type: string, message: string, retryAfterMs: number | undefined, maxMs: number) {
  const delay = retryAfterMs === undefined ? {} : { nextRetryDelay: Math.min(retryAfterMs, maxMs) };
  return ApplicationFailure.create({ type, message, ...delay });
}
