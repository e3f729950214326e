import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { stepFailed } from './contracts/failures.js';
import { pokeSignal } from './contracts/messages.js';
import { type DeliveriesRunInput, taskQueues } from './contracts/runs.js';
import type { DeliveryStep } from './contracts/steps.js';
import { delayUntil } from './delay-until.js';
import { isLongForWaiting } from './long-history.js';
import { standStill } from './stand-still.js';

/** After a run stood still it is tried again by itself, each time after twice as long: messages have a life span. */
const standsStillMs = { first: 5 * 60_000, longest: 3_600_000 };

/**
 * Delivers a chat's outbound messages in order: the next is sent once the carrier took the one before. Ends when
 * nothing is left to send. Receipts are taken in without it; it is poked where one gives it something to do, and
 * for one that never came.
 *
 * An attempt is claimed before the carrier is asked and is never made twice; one whose outcome stayed unknown is
 * resolved by the status callback, else by looking it up at the carrier (design section 5, "Sending"). Where a step fails
 * each time, all of the chat's messages wait, and a person is called.
 */
export async function deliverMessages(input: DeliveriesRunInput): Promise<void> {
  let woken = true;
  setHandler(pokeSignal, () => {
    woken = true;
  });
  const { workspaceId, chatId } = input;
  const { deliverNext } = proxyActivities<Pick<Activities, 'deliverNext'>>({
    taskQueue: taskQueues.deliveries,
    startToCloseTimeout: '45s',
    retry: { initialInterval: '1s', maximumInterval: '1m', nonRetryableErrorTypes: [stepFailed] },
    priority: { fairnessKey: input.workspaceUuid },
    summary: 'Deliver the next message',
  });
  let stoodStill = 0;
  const takeStep = async (): Promise<DeliveryStep> => {
    try {
      const step = await deliverNext({ workspaceId, chatId });
      stoodStill = 0;
      return step;
    } catch (error) {
      const pause = Math.min(standsStillMs.first * 2 ** stoodStill, standsStillMs.longest);
      await standStill(input, error, () => woken, pause);
      stoodStill += 1;
      return { kind: 'again' };
    }
  };

  for (;;) {
    woken = false;
    setCurrentDetails('Delivers what waits.');
    const step = await takeStep();
    if (step.kind === 'wait') {
      if (isLongForWaiting()) await continueAsNew<typeof deliverMessages>(input);
      setCurrentDetails(`Waits until ${new Date(step.until).toISOString()}, or for news from the carrier.`);
      await condition(() => woken, delayUntil(step.until), { summary: 'Wait for the carrier' });
    } else if (step.kind === 'idle' && !woken) {
      setCurrentDetails('Everything is with the carrier.');
      return;
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof deliverMessages>(input);
  }
}
