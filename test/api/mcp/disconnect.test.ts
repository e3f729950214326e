import { expect, it } from 'vitest';
import { systemClock } from '../../../domain/lib/clock.js';
import { modern, sendMcp } from '../../support/api/mcp.js';
import { useOAuth } from '../../support/api/use-oauth.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { addMember } from '../../support/workspace/factories.js';

const oauth = useOAuth({ clock: systemClock });
const { api, workspace } = oauth;
const scopes = ['members:read', 'members:write'];

const legacyMessage = (params: object) => ({ headers: {}, params });
const modernMessage = (params: object) => ({
  headers: { 'MCP-Protocol-Version': modern, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'delete_member' },
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': modern,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

it.each([
  ['2025-11-25', legacyMessage],
  [modern, modernMessage],
])('a client of %s that goes during a call leaves nothing behind', async (_version, message) => {
  const { client } = await oauth.addApplication({ scopes });
  const asked = { resource: client.resource.mcp, scope: scopes.join(' ') };
  const token = (await oauth.connect(client, asked)).tokens.access_token;
  const { memberId } = await addMember(workspace);
  const { headers, params } = message({
    name: 'delete_member',
    arguments: { member_id: memberId, confirm: true },
  });
  const gone = new AbortController();
  await oauth.db().inWorkspace(workspace.workspaceId, async (tx) => {
    await tx.raw('select from members where id = ? for update', [memberId]);
    const answer = fetch(`${api.baseUrl}/api/v2/mcp`, {
      method: 'POST',
      signal: gone.signal,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    }).then((response) => response.text());
    await waitFor('the call waits for the row', async () => {
      // A transaction sees others as they were at its first look.
      await tx.raw('select pg_stat_clear_snapshot()');
      const waiting = await tx.raw(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      return waiting.rows.length > 0;
    });
    gone.abort();
    await expect(answer).rejects.toThrow();
  });
  // What has begun is finished, and others are answered.
  await waitFor('the member is deleted', async () => {
    return (await oauth.asAdmin('GET', `/members/${memberId}`)).status === 404;
  });
  expect(await sendMcp(api, { token })).toMatchObject({ status: 200 });
});
