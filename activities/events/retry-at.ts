import { ApplicationFailure } from '@temporalio/activity';
import type { Clock } from '../../domain/lib/clock.js';

const shortestMs = 100;

/** What an activity throws to be run again at a time that the database named. `type` is all that an operator reads. */
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
