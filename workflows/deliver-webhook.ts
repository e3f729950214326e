import {
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { pokeSignal } from './contracts/messages.js';
import { type RunInputs, taskQueues } from './contracts/runs.js';
import type { WebhookOutcome } from './contracts/steps.js';

/*
 * The run is one activity: each try makes one attempt, and a failed one throws with the time until the next
 * (`nextRetryDelay`, docs/decisions/0056-attempts-of-webhooks.md). So waiting costs no timer and no history. A try that
 * finds no room at the receiver is put off, and is no attempt (docs/decisions/0057-room-at-receivers.md). A poke ends the
 * wait: the activity is cancelled, and begins anew.
 */

/** The schedule of domain/events/webhook-deliveries/schedule.ts in words. */
export const inDelivery =
  'In delivery: up to ten attempts, the next 5 seconds, 5 minutes, 30 minutes, 2, 5, 10, 14, 20 and 24 hours after a ' +
  'failed one, unless `WEBHOOK_RETRY_DELAYS` or the receiver says otherwise; a test is sent once. The pending ' +
  'activity shows the number and result of the latest attempt and the time of the next. Its own attempt number is ' +
  'Temporal’s, without a maximum, because it also counts tries that were put off for lack of room at the receiver.';

type Attempt = Pick<Activities, 'deliverWebhook'>;
type Cancellation = Pick<Activities, 'cancelWebhookDelivery'>;

const { cancelWebhookDelivery: cancelDelivery } = proxyActivities<Cancellation>({
  taskQueue: taskQueues.webhooks,
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', maximumInterval: '15s' },
  summary: 'Cancel the delivery',
});

/** Cancelling the run cancels the delivery; a poke has it attempted now. */
export async function deliverWebhook(
  input: RunInputs['deliverWebhook'],
): Promise<{ status: string; attempts?: number }> {
  let poked = false;
  setHandler(pokeSignal, () => {
    poked = true;
  });
  const { workspaceId, deliveryId, ruleId } = input;
  const { deliverWebhook: attempt } = proxyActivities<Attempt>({
    taskQueue: taskQueues.webhooks,
    // Longer than the lease of an attempt, so that the next try finds the lease of a lost worker expired.
    startToCloseTimeout: '35s',
    retry: { initialInterval: '1s', maximumInterval: '1m' },
    priority: { fairnessKey: input.workspaceUuid },
    summary: 'Post the event to the receiver',
  });
  /** Undefined: it was poked before the delivery was settled. */
  const deliver = async (): Promise<WebhookOutcome | undefined> => {
    poked = false;
    const scope = new CancellationScope();
    const tried = scope.run(() => attempt({ workspaceId, deliveryId, ruleId }));
    const outcome = await Promise.race([tried, condition(() => poked).then(() => undefined)]);
    if (outcome !== undefined) return outcome;
    scope.cancel();
    try {
      return await tried;
    } catch (error) {
      if (CancellationScope.current().consideredCancelled) throw error;
      return undefined;
    }
  };
  try {
    setCurrentDetails(inDelivery);
    let outcome: WebhookOutcome | undefined;
    while (outcome === undefined) outcome = await deliver();
    const { status, attempts } = outcome;
    setCurrentDetails(detailsOf(status, attempts));
    return { status, attempts };
  } catch (error) {
    if (!isCancellation(error)) throw error;
    const { status } = await CancellationScope.nonCancellable(() =>
      cancelDelivery({ workspaceId, deliveryId, ruleId }),
    );
    setCurrentDetails(`Ended: \`${status}\`, after it was cancelled in Temporal.`);
    return { status };
  }
}

function detailsOf(status: string, attempts: number): string {
  if (status === 'delivered') return `Delivered at the ${ordinal(attempts)} attempt.`;
  return `Ended: \`${status}\`, after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}.`;
}

function ordinal(count: number): string {
  const tens = count % 100;
  const ending = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th');
  return `${count}${ending}`;
}
