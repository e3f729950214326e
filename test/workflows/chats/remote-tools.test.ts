import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type RunCall, startMcpServer } from '../../../tools/simulators/mcp-server/start-mcp-server.js';
import type { RunningSimulator } from '../../../tools/simulators/support/serve.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { calling } from '../../support/simulators/simulated-model.js';
import { startSystem } from '../../support/system/system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';
import { ask } from '../../tools/simulators/simulator-client.js';
import { talk } from '../small-trees.js';

const { system, workspace } = useSmsWorkspace(() => startSystem());
let simulator: RunningSimulator;
beforeAll(async () => {
  simulator = await startMcpServer({ port: 0 });
  await ask(simulator.url, 'POST', '/knobs', { token });
});
afterAll(() => simulator.close());
afterEach(() => ask(simulator.url, 'DELETE', '/calls'));

const token = 'sesame-open-0001';
const calls = async () => (await ask<RunCall[]>(simulator.url, 'GET', '/calls')).body;

it('an agent looks something up, and does what a person approves, once each', async () => {
  const server = { name: 'orders', url: `${simulator.url}/mcp`, token };
  const { id } = (await workspace.asAdmin('POST', '/mcp-servers', server)).body;
  await workspace.asAdmin('POST', `/mcp-servers/${id}/refresh`);
  const { body: tools } = await workspace.asAdmin('GET', `/mcp-servers/${id}/tools`);
  for (const tool of tools) {
    const approval = tool.name === 'cancel_order' ? 'person' : 'none';
    const path = `/mcp-servers/${id}/tools/${tool.id}`;
    expect((await workspace.asAdmin('PUT', path, { digest: tool.digest, approval })).status).toBe(200);
  }
  const named = ['find_order', 'cancel_order'].map((tool) => ({ server: 'orders', tool }));
  const definitionId = await workspace.publish(
    talk('Help', 'Hello.', {
      abilities: [{ abilityType: 'mcp_tools', config: { tools: named } }, { abilityType: 'handoff' }],
    }),
  );
  const assignment = await workspace.begin(definitionId);
  await assignment.heard('Hello.');
  const name = assignment.texter.row.name ?? '';
  await system.model.script(
    [
      calling('orders__find_order', { order: 'A-17' }),
      { content: 'It is on its way.' },
      calling('orders__cancel_order', { order: 'A-17', reason: 'Too late.' }),
      { content: 'It is cancelled.' },
      calling('orders__cancel_order', { order: 'A-18', reason: 'Broken.' }),
      { content: 'I cannot say.' },
    ],
    name,
  );

  await assignment.write('Where is A-17?');
  await assignment.heard('It is on its way.');
  const authorization = `Bearer ${token}`;
  const found = { tool: 'find_order', arguments: { order: 'A-17' }, authorization };
  expect(await calls()).toEqual([found]);

  const approve = async () => {
    const waiting = await waitFor('the chat needs a decision', async () => {
      const { body } = await workspace.asAdmin('GET', `/chats/${assignment.chatId}`);
      return body.needsResponseReason === 'approval' && body;
    });
    const decision = { interruptId: waiting.interrupt.id, decision: 'approve' };
    const path = `/chats/${assignment.chatId}/interrupt`;
    const answers = await Promise.all([1, 2].map(() => workspace.asAdmin('POST', path, decision)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    return waiting.interrupt.toolCall;
  };
  await assignment.write('Cancel it');
  expect(await approve()).toMatchObject({ name: 'orders__cancel_order' });
  await assignment.heard('It is cancelled.');
  const input = { order: 'A-17', reason: 'Too late.' };
  const cancelled = { tool: 'cancel_order', arguments: input, authorization };
  expect(await calls()).toEqual([found, cancelled]);

  // The connection breaks after the tool has run: it is not run again, and the model is told that nobody knows.
  const lost = { answer: 'run_and_reset', on: 'tools/call', chance: true };
  await ask(simulator.url, 'POST', '/knobs', { mishaps: [lost] });
  await assignment.write('And A-18');
  await approve();
  await assignment.heard('I cannot say.');
  expect((await calls()).map(({ arguments: given }) => given.order)).toEqual(['A-17', 'A-17', 'A-18']);
  const { body: after } = await workspace.asAdmin('GET', `/chats/${assignment.chatId}`);
  expect(after).toMatchObject({ needsResponseReason: 'approved_call_failed' });
});
