import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../domain/lib/clock.js';
import { createDataRecord } from '../../../domain/records/data-records/create-data-record.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { type McpAnswer, type McpRequest, sendMcp } from '../../support/api/mcp.js';
import { useOAuth } from '../../support/api/use-oauth.js';
import { type DyingConnections, dyingConnections } from '../../support/faults/dying-connections.js';
import type { TestWorkspace } from '../../support/workspace/factories.js';

const oauth = useOAuth({ clock: systemClock, rateLimits: { refusals: 50 } });
const { api, workspace, otherWorkspace } = oauth;
let connections: DyingConnections;
beforeEach(() => {
  connections = dyingConnections();
});

async function tokenFor(scopes: string[]): Promise<string> {
  const { client } = await oauth.addApplication({ scopes });
  const asked = { resource: client.resource.mcp, scope: scopes.join(' ') };
  return (await oauth.connect(client, asked)).tokens.access_token;
}

let made = 0;
/** A record of a new type, as the arguments that name it. */
async function addRecord(place: TestWorkspace) {
  made += 1;
  const fields = [{ name: 'Colour', slug: 'colour', fieldType: 'text' }];
  const named = { name: `Likes ${made}`, slug: `likes${made}` };
  const type = await createDataType(place.context(), { ...named, isCollection: true, fields });
  const { id } = await createDataRecord(place.context(), type.id, { fieldValues: { colour: 'green' } });
  return { data_type_id: type.id, record_id: id };
}

const read = (args: object, name = 'get_data_record') => ({
  method: 'tools/call',
  params: { name, arguments: args },
});

/**
 * The answer, and the number of messages to the database that it took, with prepared statements: the fewest of three times,
 * as the process may be asking for something else meanwhile.
 */
async function messagesOf(request: McpRequest): Promise<{ answer: McpAnswer; messages: number }> {
  let answer = await sendMcp(api, request);
  let messages = Number.POSITIVE_INFINITY;
  for (let time = 1; time <= 3; time += 1) {
    connections.dieAt(0, 'before');
    answer = await sendMcp(api, request);
    messages = Math.min(messages, connections.sent);
  }
  return { answer, messages };
}

describe('the queries of a call', () => {
  it('are sent with the look-up of its token', async () => {
    const token = await tokenFor(['data:read']);
    const { answer, messages } = await messagesOf({ token, ...read(await addRecord(workspace)) });
    expect(answer.body.structuredContent).toMatchObject({ fieldValues: { colour: 'green' } });
    expect(messages).toBe(1);
  });

  it('are sent with it for a resource, too', async () => {
    const token = await tokenFor(['data:read']);
    const { data_type_id, record_id } = await addRecord(workspace);
    const params = { uri: `wes://data-types/${data_type_id}/records/${record_id}` };
    const { answer, messages } = await messagesOf({ token, method: 'resources/read', params });
    expect(answer.body.contents[0].text).toContain('green');
    expect(messages).toBe(1);
  });

  it('follow it where the message is long', async () => {
    const token = await tokenFor(['data:read']);
    const { method, params } = read(await addRecord(workspace));
    const long = { ...params, _meta: { pad: 'x'.repeat(10_000) } };
    const { answer, messages } = await messagesOf({ token, method, params: long });
    expect(answer.body.structuredContent).toMatchObject({ fieldValues: { colour: 'green' } });
    expect(messages).toBe(2);
  });

  it('follow it where the operation has just given a long answer, to whomever', async () => {
    const token = await tokenFor(['chats:read', 'data:read']);
    const { id } = (await oauth.asAdmin('POST', '/chats', { channel: 'web-chat' })).body;
    const ask = (limit: number) => ({ token, ...read({ chat_id: id, limit }, 'list_chat_messages') });
    for (let message = 1; message <= 30; message += 1) {
      await oauth.asAdmin('POST', `/chats/${id}/messages`, { content: 'x'.repeat(9_500) });
    }
    expect((await messagesOf(ask(1))).messages).toBe(1);
    expect((await sendMcp(api, ask(30))).status).toBe(200);
    expect((await messagesOf(ask(1))).messages).toBe(2);
    expect((await messagesOf({ token, ...read(await addRecord(workspace)) })).messages).toBe(1);
  });

  it('find nothing of another workspace, whose token they came with', async () => {
    const token = await tokenFor(['data:read']);
    const { body } = await sendMcp(api, { token, ...read(await addRecord(otherWorkspace)) });
    expect([body.isError, body.content.at(-1).text]).toEqual([true, expect.stringContaining('not_found')]);
  });

  it('tell nothing to a token without the scope', async () => {
    const token = await tokenFor(['chats:read']);
    const answer = await sendMcp(api, { token, ...read(await addRecord(workspace)) });
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(JSON.stringify(answer.body)).not.toContain('green');
  });

  it('are not asked for arguments that are wrong, which is told once the caller is known', async () => {
    const known = { token: await tokenFor(['data:read']) };
    const unknown = { token: known.token.replace(/.{8}$/, 'xxxxxxxx') };
    const wrong = read({ ...(await addRecord(workspace)), record_id: 'no number' });
    expect((await sendMcp(api, { ...known, ...wrong })).body.isError).toBe(true);
    expect(await sendMcp(api, { ...unknown, ...wrong })).toMatchObject({ status: 401 });
    const raw = '{"jsonrpc"';
    expect(await sendMcp(api, { ...known, raw })).toMatchObject({ status: 400 });
    expect(await sendMcp(api, { ...unknown, raw })).toMatchObject({ status: 401 });
  });

  it('create a record once for its key', async () => {
    const token = await tokenFor(['data:read', 'data:write']);
    const { data_type_id } = await addRecord(workspace);
    const args = { data_type_id, fieldValues: { colour: 'red' }, idempotencyKey: crypto.randomUUID() };
    const request = { token, ...read(args, 'create_data_record') };
    const one = await sendMcp(api, request);
    const other = await sendMcp(api, request);
    expect(one.body.structuredContent.id).toBe(other.body.structuredContent.id);
    expect(other.body.content[0].text).toContain('nothing was done again');
  });
});
