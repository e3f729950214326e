import { createDataRecord } from '../../../domain/records/data-records/create-data-record.js';
import type { Figure } from '../figure.js';
import { requestRate } from '../http/request-rate.js';
import type { Stage } from '../stage/stage.js';
import { sendJson } from '../support/ask.js';
import { medianDuration } from '../support/durations.js';
import { addVisits, visitValues } from '../support/visits.js';
import { connectClient, startPublicApi } from './connected-client.js';
import { createTokenTable } from './token-table.js';

const revision = '2025-11-25';
const floorOf = (name: string) => new URL(`./${name}.ts`, import.meta.url);

/** An api with a data record, and the request that reads the record by a tool. */
export async function readByTool(stage: Stage) {
  const { workspace } = stage;
  const typeId = await addVisits(stage);
  const record = await createDataRecord(workspace.context(), typeId, { fieldValues: visitValues });
  const api = await startPublicApi(stage);
  const { accessToken } = await connectClient(stage, api);
  const params = { name: 'get_data_record', arguments: { data_type_id: typeId, record_id: record.id } };
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    authorization: `Bearer ${accessToken}`,
  };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  // The api loads its tools with the first request for them.
  await sendJson(`${api.url}/api/v2/mcp`, 'POST', body, headers);
  return { api, path: `/data-types/${typeId}/records/${record.id}`, headers, body };
}

export const callTool: Figure = {
  name: 'call-tool',
  title: 'Read by tools/call',
  unit: 'requests/s',
  target: { ratioAtLeast: 0.67 },
  async prepare(stage, { seconds }) {
    const { api, headers, body } = await readByTool(stage);
    const env = { WORKSPACE_ID: String(stage.workspace.workspaceId) };
    const floor = await stage.startScript(floorOf('read-floor'), { env });
    const load = { method: 'POST', headers, body, seconds } as const;
    return {
      floor: () => requestRate({ ...load, url: floor.url }),
      measured: () => requestRate({ ...load, url: `${api.url}/api/v2/mcp` }),
    };
  },
};

export const callToolAndHttp: Figure = {
  name: 'call-tool-and-http',
  title: 'Read by tools/call, beside HTTP',
  unit: 'requests/s',
  target: { ratioAtLeast: 0.33 },
  async prepare(stage, { seconds }) {
    const { api, path, headers, body } = await readByTool(stage);
    const key = { authorization: `Bearer ${stage.workspace.admin.apiKey}` };
    const url = `${api.url}/api/v2${stage.workspace.path(path)}`;
    return {
      floor: () => requestRate({ url, method: 'GET', headers: key, body: undefined, seconds }),
      measured: () => requestRate({ url: `${api.url}/api/v2/mcp`, method: 'POST', headers, body, seconds }),
    };
  },
};

export const refreshToken: Figure = {
  name: 'refresh-token',
  title: 'Token request (refresh)',
  unit: 'ms',
  target: { ratioAtMost: 2 },
  async prepare(stage, { operations }) {
    await createTokenTable(stage);
    const [floor, api] = await Promise.all([
      stage.startScript(floorOf('token-floor')),
      startPublicApi(stage),
    ]);
    const first = await fetch(floor.url);
    const { clientId, refreshToken: token } = await connectClient(stage, api);
    const onFloor = new RefreshChain(`${floor.url}/token`, 'floor', await first.text());
    const inService = new RefreshChain(`${api.url}/api/v2/oauth/token`, clientId, token);
    return {
      floor: () => medianDuration(operations, () => onFloor.refresh()),
      measured: () => medianDuration(operations, () => inService.refresh()),
    };
  },
};

/** Refreshes a token again and again: each answer has the next refresh token. */
class RefreshChain {
  #token: string;

  constructor(
    readonly url: string,
    readonly clientId: string,
    first: string,
  ) {
    this.#token = first;
  }

  async refresh(): Promise<void> {
    const fields = { grant_type: 'refresh_token', client_id: this.clientId, refresh_token: this.#token };
    const response = await fetch(this.url, { method: 'POST', body: new URLSearchParams(fields) });
    const answer = (await response.json()) as { refresh_token?: string };
    if (answer.refresh_token === undefined) throw new Error(`there is no token: ${JSON.stringify(answer)}`);
    this.#token = answer.refresh_token;
  }
}
