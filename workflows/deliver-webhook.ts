import { CancellationScope, isCancellation, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { taskQueues, type WebhookRunInput } from './contracts/runs.js';

type Attempt = Pick<Activities, 'deliverWebhook'>;
type Cancellation = Pick<Activities, 'cancelWebhookDelivery'>;

const { cancelWebhookDelivery: callOff } = proxyActivities<Cancellation>({
  taskQueue: taskQueues.webhooks,
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', maximumInterval: '15s' },
  summary: 'Call the delivery off',
});

/**
 * Delivers one event to the receiver of one rule. One activity makes an attempt each time it is run, and says when the
 * next is due; the schedule and what was tried are the database's. Cancelled, the delivery is called off.
 */
export async function deliverWebhook(input: WebhookRunInput): Promise<{ status: string }> {
  const { workspaceId, deliveryId, ruleId } = input;
  const { deliverWebhook: attempt } = proxyActivities<Attempt>({
    taskQueue: taskQueues.webhooks,
    // Longer than the lease of an attempt: one that got lost with its worker is followed by the next at once.
    startToCloseTimeout: '35s',
    retry: { initialInterval: '1s', maximumInterval: '1m' },
    priority: { fairnessKey: input.workspaceUuid },
    summary: 'Post the event to the receiver',
  });
  try {
    setCurrentDetails('On its way. The activity that is pending says what the latest attempt came to.');
    const { status, attempts } = await attempt({ workspaceId, deliveryId, ruleId });
    setCurrentDetails(detailsOf(status, attempts));
    return { status };
  } catch (error) {
    if (!isCancellation(error)) throw error;
    const { status } = await CancellationScope.nonCancellable(() =>
      callOff({ workspaceId, deliveryId, ruleId }),
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
