import type { ActivityDependencies } from '../../../activities/index.js';
import { createRequestSender } from '../../../providers/requests/create-request-sender.js';
import { testEncryption } from './encryption.js';

/** What activities send requests of agents with in tests: to services on this machine. */
export function testRequests(ca?: string): ActivityDependencies['requests'] {
  const sender = createRequestSender({
    allowedNetworks: ['127.0.0.0/8'],
    ...(ca === undefined ? {} : { ca }),
  });
  return { sender, encryption: testEncryption };
}
