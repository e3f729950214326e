import { ApplicationFailure } from '@temporalio/activity';
import type { Clock } from '../../domain/lib/clock.js';

const minMs = 100;

/** Makes Temporal retry an activity at a time that the database determined. Operators read the `type`. */
export function retryAt(
  { clock }: { clock: Clock },
  { type, message, at }: { type: string; message: string; at: Date },
): ApplicationFailure {
  const nextRetryDelay = Math.max(at.getTime() - clock.now().getTime(), minMs);
  return ApplicationFailure.create({ type, message, nextRetryDelay });
}
