import { cancellationSignal } from '@temporalio/activity';
import { cancelDelivery } from '../../domain/events/webhook-deliveries/cancel-delivery.js';
import type { WebhookRef, WebhookStatus } from '../../domain/events/webhook-deliveries/claim-attempt.js';
import type { WebhookOutcome } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { attemptWebhook } from './attempt-webhook.js';
import { ReceiverQueue } from './receiver-queue.js';
import { retryAt } from './retry-at.js';
import { TenantBulkhead } from './tenant-bulkhead.js';

/** Concurrent deliveries of a worker, and of one workspace once `softLimit` are in use. */
export const webhookSlots = { maxTotal: 100, softLimit: 50, maxPerTenant: 20 } as const;

/** The activities that deliver events. What they remember between attempts is shared by the whole process. */
export function webhookActivities(dependencies: ActivityDependencies) {
  const context = {
    ...dependencies,
    bulkhead: new TenantBulkhead(webhookSlots),
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
