import { expect, it } from 'vitest';
import { signingSecretsOf } from '../../../../domain/events/event-rules/signing-secrets.js';
import { callAs } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';

const suite = useApi();
const { api } = suite;

const fifty = Array.from({ length: 50 }, (_, index) => index);
const as = (workspace: TestWorkspace) => callAs(api, workspace, workspace.admin);
const rule = (index: number) => ({
  name: `Rule ${index}`,
  eventType: 'chat:created',
  actionType: 'webhook:send',
  actionParams: { webhookUrl: 'https://receiver.example.com/' },
});

function counted(answers: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

it('leaves five valid secrets after fifty concurrent rotations, and they are the returned ones', async () => {
  const { workspace } = suite;
  const { id } = await addEventRule(workspace, { secret: 'the-one-it-began-with' });
  const call = as(workspace);
  const answers = await Promise.all(fifty.map(() => call('POST', `/event-rules/${id}/rotate-secret`, {})));

  expect(counted(answers)).toEqual({ 200: 4, 409: 46 });
  const told = answers
    .filter(({ status }) => status === 200)
    .map(({ body }) => body.actionParams.signingSecret);
  const valid = await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
    signingSecretsOf(tx, testEncryption, id, new Date()),
  );
  expect(valid).toHaveLength(5);
  expect(new Set(valid)).toEqual(new Set([...told, 'the-one-it-began-with']));
  const { secrets } = (await call('GET', `/event-rules/${id}`)).body;
  expect(secrets.filter(({ expiresAt }: { expiresAt: string | null }) => expiresAt === null)).toHaveLength(1);
});

it('enforces the limit of 100 rules for fifty concurrent requests, and a deletion frees a slot', async () => {
  const workspace = await createWorkspace(suite.database.database);
  const call = as(workspace);
  for (let count = 0; count < 80; count += 1) await addEventRule(workspace);
  const answers = await Promise.all(fifty.map((index) => call('POST', '/event-rules', rule(index))));

  expect(counted(answers)).toEqual({ 201: 20, 409: 30 });
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('too_many_event_rules');
  const { body } = await call('GET', '/event-rules', undefined, { pageSize: 1 });
  expect(body.total).toBe(100);
  await call('DELETE', `/event-rules/${body.items[0].id}`);
  expect((await call('POST', '/event-rules', rule(0))).status).toBe(201);
  expect((await call('POST', '/event-rules', rule(0))).status).toBe(409);
  expect((await as(suite.workspace)('POST', '/event-rules', rule(0))).status).toBe(201);
});

it('shares one new receiver among fifty rules that are created at once', async () => {
  const { workspace } = suite;
  const call = as(workspace);
  const actionParams = { webhookUrl: 'https://receiver.example.com/shared' };
  const answers = await Promise.all(
    fifty.map((index) => call('POST', '/event-rules', { ...rule(index), actionParams })),
  );
  expect(counted(answers)).toEqual({ 201: 50 });
  const endpoints = await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
    tx('webhook_endpoints').where({ url: actionParams.webhookUrl }),
  );
  expect(endpoints).toHaveLength(1);
});

it('keeps a rule deleted and without secrets when a change runs concurrently', async () => {
  const { workspace } = suite;
  const call = as(workspace);
  const changes = [
    ['PUT', '', { name: 'Another name' }],
    ['POST', '/enable', undefined],
    ['POST', '/disable', undefined],
    ['POST', '/rotate-secret', {}],
    ['POST', '/test', undefined],
  ] as const;
  for (let round = 0; round < 5; round += 1) {
    const { id } = await addEventRule(workspace, { secret: 'a-signing-secret' });
    const change = (index: number) => {
      const [method, path, body] = changes[index % changes.length] ?? changes[0];
      return call(method, `/event-rules/${id}${path}`, body);
    };
    const before = fifty.slice(0, 15).map(change);
    const deleting = call('DELETE', `/event-rules/${id}`);
    const answers = await Promise.all([...before, ...fifty.slice(0, 15).map(change)]);
    expect((await deleting).status).toBe(204);

    const refused = answers.filter(({ status }) => ![200, 201, 404, 409].includes(status));
    expect(refused).toEqual([]);
    expect((await call('GET', `/event-rules/${id}`)).status).toBe(404);
    const left = await workspace.database.inWorkspace(workspace.workspaceId, async (tx) => ({
      secrets: await tx('event_rule_secrets').where({ event_rule_id: id }),
      rule: await tx('event_rules').where({ id }).first('deleted_at'),
    }));
    expect(left).toEqual({ secrets: [], rule: { deleted_at: expect.any(Date) } });
  }
});
