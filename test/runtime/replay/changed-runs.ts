import { sleep } from '@temporalio/workflow';

/** Another way of delivering webhooks than the service's: it begins with a timer. */
export async function deliverWebhook(): Promise<void> {
  await sleep('1 day');
}

/** A run type that the service does not have. */
export async function unknownRun(): Promise<void> {
  await sleep('1 day');
}
