import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CallsInProgress } from '../../../api/mcp/calls-in-progress.js';
import { systemClock } from '../../../domain/lib/clock.js';
import type { SummaryOutcome } from '../../../workflows/contracts/commands.js';
import { sendMcp } from '../../support/api/mcp.js';
import { useOAuth } from '../../support/api/use-oauth.js';
import { waitFor } from '../../support/lib/wait-for.js';

/** Summaries that are waited for. */
let waiting: { signal: AbortSignal | undefined; end: (outcome: SummaryOutcome) => void }[] = [];
const oauth = useOAuth({
  clock: systemClock,
  eventStreams: { heartbeatMs: 80 },
  runs: {
    summarizeChat: (_run, { signal } = {}) =>
      new Promise((resolve, reject) => {
        waiting.push({ signal, end: resolve });
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
  },
});
const { api } = oauth;
const scopes = ['chats:read', 'chats:write'];

let token = '';
let call: { name: string; arguments: Record<string, unknown> };
beforeAll(async () => {
  const { client } = await oauth.addApplication({ scopes });
  const asked = { resource: client.resource.mcp, scope: scopes.join(' ') };
  token = (await oauth.connect(client, asked)).tokens.access_token;
  const chat = await oauth.asAdmin('POST', '/chats', { channel: 'web-chat' });
  call = { name: 'summarize_chat', arguments: { chat_id: chat.body.id } };
});
afterEach(() => {
  for (const one of waiting) one.end('summarized');
  waiting = [];
});

interface RequestOptions {
  signal?: AbortSignal;
  onprogress?: (told: { progress: number; message?: string | undefined }) => void;
}

const identity = { name: 'test', version: '1' };
const transportOptions = () => ({ requestInit: { headers: { Authorization: `Bearer ${token}` } } });
const endpoint = () => new URL(`${api.baseUrl}/api/v2/mcp`);

async function connectLegacy() {
  const client = new Client(identity);
  await client.connect(new StreamableHTTPClientTransport(endpoint(), transportOptions()));
  return {
    summarize: (options: RequestOptions) => client.callTool(call, undefined, options),
    close: () => client.close(),
  };
}

async function connectModern() {
  const client = new ModernClient(identity, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new ModernTransport(endpoint(), transportOptions()));
  return {
    summarize: (options: RequestOptions) => client.callTool(call, options),
    close: () => client.close(),
  };
}

const nextWait = () => waitFor('the call waits for its run', () => waiting[0]);

describe.each([
  ['2025-11-25', connectLegacy],
  ['2026-07-28', connectModern],
])('a client of %s', (_version, connect) => {
  it('that asks for progress is told that its call goes on, and then the result', async () => {
    const client = await connect();
    const told: number[] = [];
    const result = client.summarize({
      onprogress: ({ progress, message }) => {
        expect(message).toBe('Summarize a chat: still at work.');
        told.push(progress);
      },
    });
    const run = await nextWait();
    await waitFor('progress was told twice', () => told.length >= 2);
    run.end('summarized');
    expect((await result).structuredContent).toMatchObject({ id: call.arguments.chat_id });
    expect(told).toEqual([...new Set(told)].sort((one, other) => one - other));
    await client.close();
  });

  it('that cancels its call ends the waiting', async () => {
    const client = await connect();
    const leaving = new AbortController();
    const result = client.summarize({ signal: leaving.signal });
    const { signal } = await nextWait();
    expect(signal?.aborted).toBe(false);
    leaving.abort();
    await expect(result).rejects.toThrow();
    await waitFor('the waiting ends', () => signal?.aborted);
    await client.close();
  });
});

it('a call that does not ask for progress is answered at once and without it', async () => {
  const answer = sendMcp(api, { token, method: 'tools/call', params: call });
  (await nextWait()).end('summarized');
  expect((await answer).body.structuredContent).toMatchObject({ id: call.arguments.chat_id });
});

it('a cancelled call is told so, and is no failure of ours', async () => {
  const answer = sendMcp(api, { token, method: 'tools/call', params: call });
  const { signal } = await nextWait();
  const cancelled = { method: 'notifications/cancelled', params: { requestId: 1 } };
  await fetch(endpoint(), {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...cancelled }),
  });
  await waitFor('the waiting ends', () => signal?.aborted);
  expect((await answer).body.error).toEqual({ code: -32602, message: 'The call was cancelled.' });
});

describe('calls in progress', () => {
  const gone = new AbortController().signal;
  const hold = (calls: CallsInProgress, credentialId: number, requestId: number | string) => {
    const held = { end: () => {}, signal: gone };
    const done = calls.run(credentialId, requestId, gone, (signal) => {
      held.signal = signal;
      return new Promise<void>((resolve) => {
        held.end = resolve;
      });
    });
    return { end: () => held.end(), done, isStatementCancelled: () => held.signal.aborted };
  };

  it('are cancelled by credential and id alone', async () => {
    const calls = new CallsInProgress();
    const held = [hold(calls, 1, 7), hold(calls, 2, 7), hold(calls, 1, '7'), hold(calls, 1, 8)];
    calls.cancel(1, 7);
    calls.cancel(1, 9);
    calls.cancel(1, undefined);
    expect(held.map((one) => one.isStatementCancelled())).toEqual([true, false, false, false]);
    for (const one of held) one.end();
    await Promise.all(held.map((one) => one.done));
    expect(calls.size).toBe(0);
  });

  it('of the same id are not cancelled, as it is not known which one is meant', async () => {
    const calls = new CallsInProgress();
    const [one, other] = [hold(calls, 1, 7), hold(calls, 1, 7)];
    calls.cancel(1, 7);
    expect([one.isStatementCancelled(), other.isStatementCancelled()]).toEqual([false, false]);
    one.end();
    await one.done;
    calls.cancel(1, 7);
    expect(other.isStatementCancelled()).toBe(true);
    other.end();
    await other.done;
  });
});
