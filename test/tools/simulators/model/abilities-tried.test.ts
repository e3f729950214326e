import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { type RunCall, startMcpServer } from '../../../../tools/simulators/mcp-server/start-mcp-server.js';
import type { RunningSimulator } from '../../../../tools/simulators/support/serve.js';
import { waitFor } from '../../../support/lib/wait-for.js';
import type { SmsAssignment } from '../../../support/system/sms-workspace.js';
import { startSystem } from '../../../support/system/system.js';
import { useSmsWorkspace } from '../../../support/system/use-sms-workspace.js';
import { makeSelfSigned } from '../../../support/webhooks/self-signed.js';
import { talk } from '../../../workflows/small-trees.js';
import { ask } from '../simulator-client.js';

const certificate = makeSelfSigned(['localhost']);
const { workspace } = useSmsWorkspace(() => startSystem({ requestsCa: certificate.cert }));

/** A web service with the times of a day, which it can book. */
const came: string[] = [];
const service = createServer(certificate, ({ method, url }, response) => {
  came.push(`${method} ${url}`);
  const body = method === 'GET' ? { times: ['9:00', '10:30'] } : { number: 'V-17' };
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
});
let host = '';
let orders: RunningSimulator;
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  host = `localhost:${(service.address() as AddressInfo).port}`;
  orders = await startMcpServer({ port: 0 });
});
afterAll(async () => {
  service.closeAllConnections();
  service.close();
  await orders.close();
});

const day = { type: 'string', description: 'YYYY-MM-DD', maxLength: 10 };
const requestFor = (name: string, more: object) => ({
  name,
  description: 'Of the calendar.',
  url: `https://${host}/days/{day}/times`,
  parameters: { type: 'object', properties: { day }, required: ['day'] },
  ...more,
});

async function begin(abilities: RevisionTask['abilities']): Promise<SmsAssignment> {
  const assignment = await workspace.begin(
    await workspace.publish(
      talk('Help', 'How can I help?', { abilities: [...(abilities ?? []), { abilityType: 'handoff' }] }),
    ),
  );
  await assignment.heard('How can I help?');
  return assignment;
}

async function approve({ chatId }: SmsAssignment): Promise<string> {
  const waiting = await waitFor('the chat waits for an approval', async () => {
    const { body } = await workspace.asAdmin('GET', `/chats/${chatId}`);
    return body.needsResponseReason === 'approval' && body.interrupt;
  });
  const decision = { interruptId: waiting.id, decision: 'approve' };
  expect((await workspace.asAdmin('POST', `/chats/${chatId}/interrupt`, decision)).status).toBe(200);
  return waiting.toolCall.name;
}

test('an author who writes as a member sees a request, and one that waits for its approval', async () => {
  await workspace.asAdmin('PUT', '', { requestHosts: [host] });
  const requests = [
    requestFor('find_times', { method: 'GET' }),
    requestFor('book_time', { method: 'POST', requiresApproval: true }),
  ];
  const assignment = await begin([{ abilityType: 'http_request', config: { requests } }]);

  await assignment.write('Please find times on 8 January 2030');
  await assignment.heard('Find times says: times: 9:00, 10:30. How can I help?');
  await assignment.write('Then book a time on 2030-01-08');
  expect(await approve(assignment)).toBe('book_time');

  await assignment.heard('Book time says: number: V-17. How can I help?');
  expect(came).toEqual(['GET /days/2030-01-08/times', 'POST /days/2030-01-08/times']);
});

test('an author who writes as a member sees the end of an assignment wait for its approval', async () => {
  const assignment = await begin([{ abilityType: 'conclude', config: { requiresApproval: true } }]);

  await assignment.write('That is all, goodbye');
  expect(await approve(assignment)).toBe('conclude');

  expect(await assignment.concluded('completed')).toMatchObject({ outcome: 'goodbye' });
});

test('an author who writes as a member sees the tool of a remote MCP server', async () => {
  const server = { name: 'orders', url: `${orders.url}/mcp` };
  const { id } = (await workspace.asAdmin('POST', '/mcp-servers', server)).body;
  await workspace.asAdmin('POST', `/mcp-servers/${id}/refresh`);
  const path = `/mcp-servers/${id}/tools`;
  for (const { id: toolId, digest } of (await workspace.asAdmin('GET', path)).body) {
    await workspace.asAdmin('PUT', `${path}/${toolId}`, { digest, approval: 'none' });
  }
  const tools = ['find_order', 'cancel_order'].map((tool) => ({ server: 'orders', tool }));
  const assignment = await begin([{ abilityType: 'mcp_tools', config: { tools } }]);

  await assignment.write('Please find order A-17');
  await assignment.heard('Find order says: order: A-17, status: on its way, total: 12.50. How can I help?');
  await assignment.write('Cancel the order A-17, reason: too late');
  await assignment.heard('Cancel order says: order: A-17, status: cancelled. How can I help?');

  const { body: ran } = await ask<RunCall[]>(orders.url, 'GET', '/calls');
  expect(ran.map(({ tool, arguments: given }) => [tool, given])).toEqual([
    ['find_order', { order: 'A-17' }],
    ['cancel_order', { order: 'A-17', reason: 'too late' }],
  ]);
});
