import { assignmentActivities } from './assignments.js';
import { chatActivities } from './chats.js';
import { deliveryActivities } from './deliveries.js';
import type { ActivityDependencies } from './dependencies.js';
import { guardProviders } from './guard-providers.js';
import { loginCodeActivities } from './login-codes.js';
import { missedMessageActivities } from './missed-messages.js';
import { reconcilerActivities } from './reconciler.js';
import { retentionActivities } from './retention.js';
import { ruleNoticeActivities } from './rule-notices.js';
import { standstillActivities } from './standstill.js';
import { turnActivities } from './turns.js';
import { webhookActivities } from './webhooks.js';

export type { ActivityDependencies } from './dependencies.js';

/** Every activity of every run, over its dependencies. */
export function createActivities(unguarded: ActivityDependencies) {
  const dependencies = guardProviders(unguarded);
  return {
    ...assignmentActivities(dependencies),
    ...chatActivities(dependencies),
    ...turnActivities(dependencies),
    ...deliveryActivities(dependencies),
    ...loginCodeActivities(dependencies),
    ...webhookActivities(dependencies),
    ...ruleNoticeActivities(dependencies),
    ...missedMessageActivities(dependencies),
    ...reconcilerActivities(dependencies),
    ...standstillActivities(dependencies),
    ...retentionActivities(dependencies),
  };
}

export type Activities = ReturnType<typeof createActivities>;
