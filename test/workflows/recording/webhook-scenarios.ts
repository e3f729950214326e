import { attemptDeliveryNow } from '../../../domain/events/webhook-deliveries/attempt-now.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { tried } from '../../support/temporal/tried.js';
import { startWebhookReceiver, type WebhookAnswer } from '../../support/webhooks/webhook-receiver.js';
import { type StagedDelivery, stageWebhooks } from '../../support/webhooks/webhook-stage.js';
import type { Scenario, Scenarios } from './scenario.js';

/** An event whose receiver answers like this, one time after the other, and then takes it. */
function told(answers: WebhookAnswer[], then: 'delivered' | 'cancelled' | 'attempted'): Scenario {
  return async (system, workspace) => {
    const receiver = await startWebhookReceiver();
    receiver.behave((_webhook, number) => answers[number - 1] ?? {});
    const stage = await stageWebhooks(workspace, { url: receiver.url() });
    const [delivery] = (await stage.happen()) as [StagedDelivery];
    const run = system.run('deliverWebhook', delivery.uuid);
    if (then !== 'delivered') await waitFor('it was tried', () => tried(run).then(() => true));
    if (then === 'cancelled') await run.cancel();
    if (then === 'attempted') await attemptDeliveryNow(workspace.context(), stage.rule.id, delivery.id);
    const status = then === 'cancelled' ? then : 'delivered';
    await waitFor(`it is ${status}`, async () => (await stage.delivery(delivery.id)).status === status);
    await run.result();
    await stage.changeRule({ deleted_at: new Date() });
    await receiver.close();
    return `webhook-${delivery.uuid}`;
  };
}

/** Events on their way to receivers. */
export const webhookScenarios: Scenarios = {
  'deliver-webhook': told([], 'delivered'),
  'deliver-webhook-retried': told([{ status: 503 }], 'delivered'),
  'deliver-webhook-cancelled': told([{ status: 503 }], 'cancelled'),
  'deliver-webhook-attempted-now': told([{ status: 503, headers: { 'retry-after': '3600' } }], 'attempted'),
};
