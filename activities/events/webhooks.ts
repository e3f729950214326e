import { cancellationSignal } from '@temporalio/activity';
import { cancelDelivery } from '../../domain/events/webhook-deliveries/cancel-delivery.js';
import type { WebhookRef, WebhookStatus } from '../../domain/events/webhook-deliveries/claim-attempt.js';
import { Admission } from '../../domain/lib/admission.js';
import type { WebhookOutcome } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { attemptWebhook } from './attempt-webhook.js';
import { QueueFull, ReceiverQueue } from './receiver-queue.js';
import { retryAt } from './retry-at.js';

/** Concurrent deliveries of a worker. */
export const webhookSlots = 100;

/** For workspaces whose receivers all hang: once half of the worker is in use, each has at most a fifth of it. */
export const workerShares = {
  each: { workspace: webhookSlots / 5 },
  crowdedFrom: webhookSlots / 2,
  refuse: () => new QueueFull('workspace_busy'),
};

/** The activities that deliver events. What they remember between attempts is shared by the whole process. */
export function webhookActivities(dependencies: ActivityDependencies) {
  const context = {
    ...dependencies,
    shares: new Admission(workerShares),
    queue: new ReceiverQueue(),
  };

  return {
    /**
     * Makes the next attempt of a delivery, unless it is settled: claims, signs, posts and records it. Fails until it
     * is settled; the failure carries the time of the retry (docs/decisions/0056-attempts-of-webhooks.md).
     */
    async deliverWebhook(input: WebhookRef): Promise<WebhookOutcome> {
      return attemptWebhook(context, input, cancellationSignal());
    },

    async cancelWebhookDelivery(input: WebhookRef): Promise<{ status: WebhookStatus }> {
      const cancelled = await cancelDelivery(dependencies, input);
      if (cancelled.kind === 'settled') return { status: cancelled.status };
      const patience = new Date(Math.min(cancelled.at.getTime(), dependencies.clock.now().getTime() + 1_000));
      throw retryAt(dependencies, { type: 'under_way', message: 'an attempt is under way', at: patience });
    },
  };
}
