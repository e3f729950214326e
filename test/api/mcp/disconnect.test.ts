import { expect, it } from 'vitest';
import { systemClock } from '../../../domain/lib/clock.js';
import { confirmedRequest, sendMcp } from '../../support/api/mcp.js';
import { useOAuth } from '../../support/api/use-oauth.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { addMember } from '../../support/workspace/factories.js';

const oauth = useOAuth({ clock: systemClock });
const { api, workspace } = oauth;
const scopes = ['members:read', 'members:write'];

it('a client that goes during a call leaves nothing behind', async () => {
  const { client } = await oauth.addApplication({ scopes });
  const wanted = { resource: client.resource.mcp, scope: scopes.join(' ') };
  const token = (await oauth.connect(client, wanted)).tokens.access_token;
  const { memberId } = await addMember(workspace);
  const call = { name: 'delete_member', arguments: { member_id: memberId } };
  const asked = { token, method: 'tools/call', params: call };
  const { headers, params } = await confirmedRequest(api, asked);
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
