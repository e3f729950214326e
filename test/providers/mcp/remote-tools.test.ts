import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createRemoteTools } from '../../../providers/mcp/create-mcp-client.js';
import type { RemoteCall } from '../../../providers/mcp/remote-tools.js';
import type { KnobValues } from '../../../tools/simulators/mcp-server/knobs.js';
import { type RunCall, startMcpServer } from '../../../tools/simulators/mcp-server/start-mcp-server.js';
import type { RunningSimulator } from '../../../tools/simulators/support/serve.js';
import { ask } from '../../tools/simulators/simulator-client.js';

let simulator: RunningSimulator;
beforeAll(async () => {
  simulator = await startMcpServer({ port: 0 });
});
afterAll(() => simulator.close());
afterEach(async () => {
  await ask(simulator.url, 'DELETE', '/knobs');
  await ask(simulator.url, 'DELETE', '/calls');
});

const limits = { listWithinMs: 3_000, callWithinMs: 3_000 };
const remote = createRemoteTools({ requireHttps: false, allowedNetworks: ['127.0.0.0/8'], ...limits });
afterAll(() => remote.close());
const server = () => ({ url: `${simulator.url}/mcp`, token: 'sesame-open-0001' });
const turn = (knobs: Partial<KnobValues>) => ask(simulator.url, 'POST', '/knobs', knobs);
const list = () => remote.list(server());
const call = (more: Partial<RemoteCall> = {}) =>
  remote.call({ server: server(), tool: 'find_order', arguments: { order: 'A-17' }, ...more });
const run = async () => (await ask<RunCall[]>(simulator.url, 'GET', '/calls')).body;

describe('tools of a remote server', () => {
  it.each([true, false])('are listed and called, with the token, by JSON: %s', async (json) => {
    await turn({ json, token: 'sesame-open-0001' });
    expect(await list()).toMatchObject({
      kind: 'listed',
      isCut: false,
      tools: [{ name: 'find_order', annotations: { readOnlyHint: true } }, { name: 'cancel_order' }],
    });
    expect(await call()).toEqual({
      kind: 'called',
      isError: false,
      leftOut: 0,
      text: '{"order":"A-17","status":"on its way","total":"12.50"}',
    });
    expect(await run()).toEqual([
      { tool: 'find_order', arguments: { order: 'A-17' }, authorization: 'Bearer sesame-open-0001' },
    ]);
  });

  it('may report errors, which are answers', async () => {
    const answer = await call({ arguments: { order: 'B-1' } });
    expect(answer).toMatchObject({ kind: 'called', isError: true, text: 'There is no order B-1.' });
  });

  it('are listed before a call that asks for it, which may refuse the call', async () => {
    const answer = await call({ check: ({ tools }) => (tools.length === 2 ? 'tool_changed' : undefined) });
    expect(answer).toMatchObject({ kind: 'not_called', code: 'tool_changed', listing: { isCut: false } });
    expect(await run()).toEqual([]);
  });
});

describe('a server that refuses', () => {
  it.each([
    [{ answer: 'status', status: 401 }, 'unauthorized'],
    [{ answer: 'status', status: 403 }, 'unauthorized'],
    [{ answer: 'status', status: 402 }, 'payment_required'],
    [{ answer: 'status', status: 503 }, 'http_503'],
    [{ answer: 'redirect' }, 'redirected'],
    [{ answer: 'empty_stream' }, 'invalid_response'],
    [{ answer: 'hang' }, 'timeout'],
    [{ answer: 'reset' }, 'connection_reset'],
  ] as const)('%o is told as %s', async (fault, code) => {
    await turn({ mishaps: [{ chance: true, ...fault }] });
    expect(await list()).toEqual({ kind: 'failed', code });
    expect(await call()).toEqual({ kind: 'not_called', code });
    expect(await run()).toEqual([]);
  });

  it('says how long to wait', async () => {
    await turn({ mishaps: [{ answer: 'status', status: 429, retryAfter: '7', chance: true }] });
    expect(await call()).toEqual({ kind: 'not_called', code: 'too_many_requests', retryAfterMs: 7_000 });
  });

  it.each([
    ['tools/call refused', { answer: 'status', status: 403 }, 'not_called', 'http_403'],
    ['a call that breaks off', { answer: 'run_and_reset' }, 'lost', 'connection_reset'],
    ['a call that fails', { answer: 'status', status: 500 }, 'lost', 'http_500'],
    ['a call without an answer', { answer: 'hang' }, 'lost', 'timeout'],
    ['a call with a stream that ends', { answer: 'empty_stream' }, 'lost', 'invalid_response'],
    ['an answer that is too large', { answer: 'huge' }, 'lost', 'answer_too_large'],
  ] as const)('%s', async (_, fault, kind, code) => {
    await turn({ mishaps: [{ chance: true, on: 'tools/call', ...fault }] });
    expect(await call()).toEqual({ kind, code });
  });

  it('has read nothing if it is not where a server may be', async () => {
    const strict = createRemoteTools({ requireHttps: true, allowedNetworks: [] });
    expect(await strict.list(server())).toEqual({ kind: 'failed', code: 'https_required' });
    const publicOnly = createRemoteTools({ requireHttps: false, allowedNetworks: [] });
    expect(await publicOnly.list(server())).toEqual({ kind: 'failed', code: 'address_refused' });
    const closed = createRemoteTools({ requireHttps: false, allowedNetworks: ['127.0.0.0/8'] });
    const nowhere = { url: 'http://127.0.0.1:9/mcp' };
    expect(await closed.list(nowhere)).toEqual({ kind: 'failed', code: 'connection_refused' });
  });
});
