import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitFor } from '../../support/lib/wait-for.js';
import { calling } from '../../support/simulators/simulated-model.js';
import { startSystem } from '../../support/system/system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';
import { makeSelfSigned } from '../../support/webhooks/self-signed.js';
import { talk } from '../small-trees.js';

const certificate = makeSelfSigned(['localhost']);
const { system, workspace } = useSmsWorkspace(() => startSystem({ requestsCa: certificate.cert }));

/** A web service that books visits. */
const booked: { authorization: string | undefined; body: unknown }[] = [];
const service = createServer(certificate, async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { authorization } = request.headers;
  booked.push({ authorization, body: JSON.parse(Buffer.concat(chunks).toString()) });
  response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"number":"V-17"}');
});
let host = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  host = `localhost:${(service.address() as AddressInfo).port}`;
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
});

it('a request waits for its approval, is sent once, and the agent goes on with the answer', async () => {
  await workspace.asAdmin('PUT', '', { requestHosts: [host] });
  const secret = { name: 'booking', value: 'sesame-open-0001', hosts: [host] };
  expect((await workspace.asAdmin('POST', '/secrets', secret)).status).toBe(201);
  const request = {
    name: 'book_visit',
    description: 'Books a visit.',
    method: 'POST',
    url: `https://${host}/visits`,
    parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
    headers: [{ name: 'Authorization', secret: 'booking', prefix: 'Bearer ' }],
    requiresApproval: true,
  };
  const definitionId = await workspace.publish(
    talk('Book', 'Hello.', {
      abilities: [
        { abilityType: 'http_request', config: { requests: [request] } },
        { abilityType: 'handoff' },
      ],
    }),
  );
  const assignment = await workspace.begin(definitionId);
  await assignment.heard('Hello.');
  const name = assignment.texter.row.name ?? '';
  await system.model.script(
    [calling('book_visit', { day: '2030-01-08' }), { content: 'Booked: V-17.' }],
    name,
  );

  await assignment.write('Book me in');
  const waiting = await waitFor('the chat needs a response', async () => {
    const { body } = await workspace.asAdmin('GET', `/chats/${assignment.chatId}`);
    return body.needsResponseReason === 'approval' && body;
  });
  expect(booked).toEqual([]);
  expect(waiting.interrupt.toolCall).toMatchObject({ name: 'book_visit', arguments: '{"day":"2030-01-08"}' });

  const decision = { interruptId: waiting.interrupt.id, decision: 'approve' };
  const answers = await Promise.all(
    [1, 2, 3].map(() => workspace.asAdmin('POST', `/chats/${assignment.chatId}/interrupt`, decision)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);

  await assignment.heard('Booked: V-17.');
  expect(booked).toEqual([{ authorization: 'Bearer sesame-open-0001', body: { day: '2030-01-08' } }]);
  const { body: after } = await workspace.asAdmin('GET', `/chats/${assignment.chatId}`);
  expect(after).toMatchObject({ needsResponse: false });
  expect(after.interrupt).toBeUndefined();
});
