import { afterAll, beforeAll } from 'vitest';
import { later } from '../lib/later.js';
import { type SystemOptions, startSystem, type TestSystem } from '../system/system.js';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.js';

/** A system and a receiver of webhooks, from the beginning of a suite to its end. */
export function useWebhookSystem(options: SystemOptions = {}) {
  let system: TestSystem | undefined;
  let receiver: WebhookReceiver | undefined;
  beforeAll(async () => {
    system = await startSystem(options);
    receiver = await startWebhookReceiver();
  });
  afterAll(async () => {
    await system?.stop();
    await receiver?.close();
  });
  return { system: later(() => system), receiver: later(() => receiver) };
}
