import { ApplicationFailure } from '@temporalio/activity';
import type { Clock } from '../../domain/lib/clock.js';

const shortestMs = 100;

/**
 * Creates the error that makes Temporal retry an activity at a time that the database determined. `type` is the text
 * that operators read.
 */
export function retryAt(
  { clock }: { clock: Clock },
  { type, message, at }: { type: string; message: string; at: Date },
): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    nextRetryDelay: Math.max(at.getTime() - clock.now().getTime(), shortestMs),
  });
}
