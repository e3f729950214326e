import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from './api-client.js';

const patienceMs = 15_000;
const lookEveryMs = 250;

/** Waits until the texts of the seeded files can be searched, so that the agent finds its answer in them. */
export async function awaitFiles(admin: ApiClient): Promise<void> {
  const giveUpAt = Date.now() + patienceMs;
  while (Date.now() < giveUpAt) {
    const { pendingFiles } = await admin<{ pendingFiles: number }>('GET', '/files/search?q=clinic&limit=1');
    if (pendingFiles === 0) return;
    await delay(lookEveryMs);
  }
}
