import { cancelMessageOfRun } from '../../domain/conversations/scheduled-messages/cancel-scheduled-message.js';
import {
  type ScheduledMessageRef,
  sendScheduledMessage,
} from '../../domain/conversations/scheduled-messages/send-scheduled-message.js';
import type { ScheduledMessageStep } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';

/** The database steps of `sendScheduledMessage`: short and idempotent. */
export function scheduledMessageActivities(dependencies: Pick<ActivityDependencies, 'db' | 'clock'>) {
  return {
    sendScheduledMessage: (ref: ScheduledMessageRef): Promise<ScheduledMessageStep> =>
      sendScheduledMessage(dependencies, ref),

    /** Cancels the message of a run that was cancelled by an operator. */
    cancelScheduledMessage: (ref: ScheduledMessageRef): Promise<void> =>
      cancelMessageOfRun(dependencies, ref),
  };
}
