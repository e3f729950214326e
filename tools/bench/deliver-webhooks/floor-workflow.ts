import { proxyActivities } from '@temporalio/workflow';

const { post } = proxyActivities<{ post(place: string): Promise<void> }>({ startToCloseTimeout: '35s' });

export async function floor(place: string): Promise<void> {
  await post(place);
}
