import { pino } from 'pino';
import { expect, it } from 'vitest';
import { systemClock } from '../../../domain/lib/clock.js';
import { startApi } from '../../support/api/api.js';
import { sendMcp, sendModernMcp } from '../../support/api/mcp.js';
import { useOAuth } from '../../support/api/use-oauth.js';
import { addMember } from '../../support/workspace/factories.js';

const lines: Record<string, unknown>[] = [];
const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
const oauth = useOAuth({ clock: systemClock, logger, rateLimits: { credential: 20 } });
const { api, workspace } = oauth;
const scopes = ['members:read', 'members:write'];

async function newToken(): Promise<string> {
  const { client } = await oauth.addApplication({ scopes });
  const asked = { resource: client.resource.mcp, scope: scopes.join(' ') };
  return (await oauth.connect(client, asked)).tokens.access_token;
}

it('a call is logged with its tool, and without arguments, results and token', async () => {
  const token = await newToken();
  lines.length = 0;
  const params = { name: 'list_members', arguments: { search: 'private-search' } };
  await sendMcp(api, { token, method: 'tools/call', params });
  await sendMcp(api, { token, method: 'tools/call', params: { name: 'private-tool' } });
  const asked = lines.filter(({ msg }) => msg === 'request');
  expect(asked).toMatchObject([
    { method: 'POST', route: null, tool: 'list_members', status: 200, caller: { credential: 'oauth_token' } },
    { method: 'POST', route: null, status: 200 },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/private/);
  expect(JSON.stringify(lines)).not.toContain(token);
});

it('calls count against the rate of the token, as requests to the API do', async () => {
  const token = await newToken();
  const statuses: number[] = [];
  for (let count = 0; count < 21; count += 1) statuses.push((await sendMcp(api, { token })).status);
  expect(statuses).toEqual([...Array(20).fill(200), 429]);
  const refused = await sendMcp(api, { token });
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
});

it('a confirmation that one process has asked for is taken by another', async () => {
  const token = await newToken();
  const { memberId } = await addMember(workspace);
  const other = await startApi(oauth.db(), { publicUrl: api.baseUrl });
  const call = { name: 'delete_member', arguments: { member_id: memberId } };
  const asks = { elicitation: { form: {} } };
  const { body: asked } = await sendModernMcp(api, { token, method: 'tools/call', params: call }, asks);
  const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } };
  const params = { ...call, inputResponses, requestState: asked.requestState };
  const { body: done } = await sendModernMcp(other, { token, method: 'tools/call', params }, asks);
  await other.close();
  expect(done).toMatchObject({ resultType: 'complete' });
  expect(done.isError).toBeUndefined();
});
