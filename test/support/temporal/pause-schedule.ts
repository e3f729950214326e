import type { Client } from '@temporalio/client';
import { waitFor } from '../lib/wait-for.js';

export async function pauseSchedule(client: Client, scheduleId: string): Promise<void> {
  await waitFor(`the schedule ${scheduleId} is there`, async () => {
    await client.schedule.getHandle(scheduleId).pause();
    return true;
  });
}
