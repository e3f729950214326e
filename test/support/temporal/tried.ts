import type { WorkflowHandle } from '@temporalio/client';
import { waitFor } from '../lib/wait-for.js';

export async function tried(run: WorkflowHandle, times = 1): Promise<void> {
  await waitFor(`it was tried ${times} time(s)`, async () => {
    const { raw } = await run.describe();
    return (raw.pendingActivities ?? []).some(({ attempt }) => (attempt ?? 1) > times);
  });
}
