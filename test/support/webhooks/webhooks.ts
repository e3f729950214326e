import type { ActivityDependencies } from '../../../activities/index.js';
import { defaultRetryDelaysMs } from '../../../domain/events/webhook-deliveries/schedule.js';
import { createWebhookSender } from '../../../providers/webhook/create-webhook-sender.js';
import { testEncryption } from '../lib/encryption.js';

/** What activities send webhooks with in tests: to receivers on this machine, over plain HTTP. */
export function testWebhooks(
  retryDelaysMs: readonly number[] = defaultRetryDelaysMs,
): ActivityDependencies['webhooks'] {
  const sender = createWebhookSender({ requireHttps: false, allowedNetworks: ['127.0.0.0/8'] });
  return { sender, encryption: testEncryption, retryDelaysMs };
}
