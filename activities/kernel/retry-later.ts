import { ApplicationFailure } from '@temporalio/activity';
import { ProviderBusy, type ProviderName, ProviderUnusable } from '../../providers/failures.js';

const names: Record<ProviderName, string> = {
  carrier: 'the carrier',
  mail: 'the mail server',
  model: 'the model',
};

/** However long a provider asks to wait: an activity that waits to be retried hears of nothing else. */
export const longestRetryMs = 5 * 60_000;

/** What an activity throws to be run again when a provider may have time; any other error as it is. */
export function retryLater(error: unknown, longestMs = longestRetryMs): unknown {
  if (error instanceof ProviderBusy) {
    return later(`${error.provider}_busy`, `${names[error.provider]} is busy`, error.retryAfterMs, longestMs);
  }
  if (error instanceof ProviderUnusable) {
    const message = `the account at ${names[error.provider]} cannot be used (${error.code})`;
    return later(`${error.provider}_unusable`, message, error.details.retryAfterMs, longestMs);
  }
  return error;
}

function later(
  type: string,
  message: string,
  retryAfterMs: number | undefined,
  longestMs: number,
): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    ...(retryAfterMs === undefined ? {} : { nextRetryDelay: Math.min(retryAfterMs, longestMs) }),
  });
}
