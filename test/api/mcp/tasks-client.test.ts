import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  createTaskSessionFromClient,
  type JsonRpcResponse,
  resultFromTaskOutcome,
} from '@modelcontextprotocol/ext-tasks/client';
import { isCreateTaskResultV2, isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SummaryState } from '../../../domain/conversations/summaries/summary-runs.js';
import { systemClock } from '../../../domain/lib/clock.js';
import { modern } from '../../support/api/mcp.js';
import { useOAuth } from '../../support/api/use-oauth.js';
import { useImportRuns } from '../../support/people/import-runs.js';
import { scratchStorage } from '../../support/storage/scratch-storage.js';

/** What the library for clients of the extension has sent, and was answered. */
const exchanged: { method: string; answer: { result?: unknown } }[] = [];
let state: SummaryState | undefined;
const { storage, remove } = scratchStorage();
afterAll(remove);
const oauth = useOAuth({
  clock: systemClock,
  storage,
  runs: {
    summarizeChat: async (_run, { begun, signal } = {}) => {
      state = { kind: 'running' };
      begun?.();
      signal?.throwIfAborted();
      return 'summarized';
    },
    // The run ends once it was asked for.
    findSummary: async () => {
      const now = state;
      state = { kind: 'ended', outcome: 'summarized' };
      return now;
    },
    cancelSummary: async () => {
      state = { kind: 'cancelled' };
    },
  },
});
useImportRuns(() => ({ database: oauth.database, storage }));
const scopes = ['chats:read', 'chats:write', 'members:read', 'members:write'];
const clientInfo = { name: 'test', version: '1' };
const clientCapabilities = {
  extensions: { 'io.modelcontextprotocol/tasks': {} },
  elicitation: { form: {} },
};

let token = '';
let chatId = 0;
beforeAll(async () => {
  const { client } = await oauth.addApplication({ scopes });
  const asked = { resource: client.resource.mcp, scope: scopes.join(' ') };
  token = (await oauth.connect(client, asked)).tokens.access_token;
  chatId = (await oauth.asAdmin('POST', '/chats', { channel: 'web-chat' })).body.id;
});

interface Sent {
  method: string;
  params?: { name?: string; taskId?: string };
}

/** Sends what the library has framed, as the client's own transport does not know tasks. */
async function rawDispatch(request: unknown): Promise<JsonRpcResponse> {
  const { method, params } = request as Sent;
  const response = await fetch(`${oauth.api.baseUrl}/api/v2/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': modern,
      'Mcp-Method': method,
      'Mcp-Name': params?.taskId ?? params?.name ?? '',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: exchanged.length, ...(request as object) }),
  });
  const answer = JSON.parse(await response.text());
  if (answer.result?.resultType === 'input_required') {
    const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } };
    const { requestState } = answer.result;
    return rawDispatch({ method, params: { ...params, inputResponses, requestState } });
  }
  exchanged.push({ method, answer });
  return 'error' in answer
    ? { kind: 'error', error: answer.error }
    : { kind: 'result', result: answer.result };
}

async function connect() {
  exchanged.length = 0;
  const client = new Client(clientInfo, { versionNegotiation: { mode: 'auto' } });
  const headers = { Authorization: `Bearer ${token}` };
  const endpoint = new URL(`${oauth.api.baseUrl}/api/v2/mcp`);
  await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } }));
  const session = createTaskSessionFromClient(client, {
    endpointId: 'service',
    rawDispatch,
    v2RequestFraming: { protocolVersion: modern, clientInfo, clientCapabilities },
  });
  return { client, session };
}

it('the library for clients of the extension follows a summary to its result', async () => {
  const { client, session } = await connect();
  const execution = await session.callTool('summarize_chat', { chat_id: chatId });
  expect(execution.kind).toBe('task');
  const { outcome } = await execution.settle();
  expect(resultFromTaskOutcome(outcome)).toMatchObject({ structuredContent: { id: chatId } });
  const [created, ...followed] = exchanged.map(({ answer }) => answer.result);
  expect(isCreateTaskResultV2(created)).toBe(true);
  expect(followed.length).toBeGreaterThan(1);
  expect(followed.every((one) => isDetailedTaskV2(one))).toBe(true);
  await session.close();
  await client.close();
});

it('the library for clients of the extension cancels a summary', async () => {
  const { client, session } = await connect();
  const execution = await session.callTool('summarize_chat', { chat_id: chatId });
  await execution.cancel();
  expect(state).toEqual({ kind: 'cancelled' });
  expect(exchanged.map(({ method }) => method)).toContain('tasks/cancel');
  await session.close();
  await client.close();
});

it('the library for clients of the extension follows an import to its result', async () => {
  const { client, session } = await connect();
  const csv = 'name,external_id\nAda,of-a-library\nNobody,';
  const execution = await session.callTool('import_members', { csv });
  expect(execution.kind).toBe('task');
  const { outcome } = await execution.settle();
  expect(resultFromTaskOutcome(outcome)).toMatchObject({
    structuredContent: { type: 'complete', total: 2, created: 1, failedRows: [3] },
  });
  await session.close();
  await client.close();
});
