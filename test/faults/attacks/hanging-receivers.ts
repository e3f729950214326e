import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addEventRule } from '../../support/webhooks/event-rules.js';
import { type Attack, addOwnType, postAs } from './attack.js';

const hosts = 10;
let server: Server | undefined;

/** Ten servers, by their addresses, that take a webhook and never answer. @returns the port of all */
async function startHanging(): Promise<number> {
  const listening = createServer((request) => void request.resume());
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '0.0.0.0', resolve));
  return (listening.address() as AddressInfo).port;
}

/** Each record is told to ten receivers, each of which holds its request until it is given up. */
export const hangingReceivers: Attack = {
  name: 'webhooks to receivers that never answer',
  expected: [201, 429],
  alsoNeeded: 'webhooks',
  async prepare(scene) {
    const { workspace } = scene;
    const port = await startHanging();
    for (let host = 0; host < hosts; host += 1) {
      const url = `http://127.0.1.${host + 1}:${port}/`;
      await addEventRule(workspace, { eventType: 'data_record:created', url });
    }
    const type = await addOwnType(scene, [{ slug: 'text', name: 'Text', fieldType: 'text' }]);
    const path = `/data-types/${type.id}/records`;
    const record = { fieldValues: { text: 'x' } };
    // What hangs is looked at here, and not how many events there are.
    return { requests: [postAs(scene, workspace.admin.apiKey, path, record)], concurrency: 1, pauseMs: 500 };
  },
  async finish() {
    server?.closeAllConnections();
    server?.close();
  },
};
