import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { pokeSignal } from './contracts/messages.js';
import { type DeliveriesRunInput, taskQueues } from './contracts/runs.js';
import { databaseStep } from './database-step.js';
import { delayUntil } from './delay-until.js';

/**
 * Delivers a chat's outbound messages in order: the next is sent once the carrier took the one before; receipts
 * are awaited together. Ends when nothing is left to send or to await.
 *
 * An attempt is claimed before the carrier is asked and is never made twice; one whose outcome stayed unknown is
 * resolved by the status callback, else by looking it up at the carrier (design section 5, "Sending").
 */
export async function deliverMessages(input: DeliveriesRunInput): Promise<void> {
  let woken = true;
  setHandler(pokeSignal, () => {
    woken = true;
  });
  const { workspaceId, chatId } = input;
  const { sendDelivery, resolveDelivery } = proxyActivities<
    Pick<Activities, 'sendDelivery' | 'resolveDelivery'>
  >({
    taskQueue: taskQueues.deliveries,
    startToCloseTimeout: '45s',
    retry: { initialInterval: '1s', maximumInterval: '1m' },
    priority: { fairnessKey: input.workspaceUuid },
  });

  for (;;) {
    woken = false;
    const step = await databaseStep('nextDelivery', { workspaceId, chatId }, 'Find the next message');
    if (step.kind === 'send') {
      setCurrentDetails(`Sends delivery ${step.deliveryId}.`);
      await sendDelivery.executeWithOptions({ summary: `Send delivery ${step.deliveryId}` }, [
        { workspaceId, deliveryId: step.deliveryId },
      ]);
    } else if (step.kind === 'resolve') {
      setCurrentDetails(`Looks up what became of delivery ${step.deliveryId}.`);
      await resolveDelivery.executeWithOptions({ summary: `Look up delivery ${step.deliveryId}` }, [
        { workspaceId, deliveryId: step.deliveryId },
      ]);
    } else if (step.kind === 'wait') {
      setCurrentDetails(`Awaits ${step.receipts} receipt(s) from the carrier.`);
      if (step.until === undefined) await condition(() => woken);
      else {
        await condition(() => woken, delayUntil(step.until), { summary: 'Wait for the carrier' });
      }
    } else if (!woken) {
      setCurrentDetails('Everything is delivered.');
      return;
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof deliverMessages>(input);
  }
}
