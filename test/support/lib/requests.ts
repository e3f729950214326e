import type { ActivityDependencies } from '../../../activities/index.js';
import { createRemoteTools } from '../../../providers/mcp/create-mcp-client.js';
import { createRequestSender } from '../../../providers/requests/create-request-sender.js';
import { testEncryption } from './encryption.js';

/** What activities send requests of agents with in tests: to services on this machine. */
export function testRequests(ca?: string): ActivityDependencies['requests'] {
  const reach = { allowedNetworks: ['127.0.0.0/8'], ...(ca === undefined ? {} : { ca }) };
  const remoteTools = createRemoteTools({ ...reach, requireHttps: false });
  return { sender: createRequestSender(reach), remoteTools, encryption: testEncryption };
}
