import knex, { type Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { webhookEndpointAt } from '../../../db/events/webhook-endpoints.js';
import { down, up } from '../../../db/migrations/0042-hosts-and-opt-outs.js';
import { addEventRule } from '../../support/webhooks/event-rules.js';
import { addDelivery } from '../../support/webhooks/webhook-history.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const stage = useWorkspace();
let migrator: Knex;

beforeAll(() => {
  migrator = knex({ client: 'pg', connection: stage.database.migratorUrl });
});
afterAll(() => migrator.destroy());

it('the migration of webhook_hosts marks hosts as answered by their receivers, and assigns requests under way', async () => {
  const { workspace } = stage;
  const { workspaceId, database } = workspace;
  const at = new Date('2031-05-01T12:00:00Z');
  const answered = await addEventRule(workspace, { url: 'https://answered.example.com:8443/one' });
  const beside = await addEventRule(workspace, { url: 'https://answered.example.com/two' });
  const silent = await addEventRule(workspace, { url: 'https://[2001:db8::1]/three' });
  await addDelivery(workspace, answered.id, { at, attempts: 2 });
  await addDelivery(workspace, silent.id, { at, attempts: 1, status: 'failed' });
  const underWay = await addDelivery(workspace, beside.id, { at, attempts: 1, status: 'pending' });
  await migrator('webhook_attempts')
    .where({ webhook_delivery_id: underWay.id })
    .update({ finished_at: null, status_code: null });
  await migrator.transaction(down);

  await migrator.transaction(up);

  const hosts = await migrator('webhook_hosts').where({ workspace_id: workspaceId }).orderBy('host');
  expect(hosts).toMatchObject([
    { host: '[2001:db8::1]', answered_at: null, failures: 0, next_try_at: null },
    { host: 'answered.example.com', answered_at: at },
  ]);
  const hostOfEndpoint = async (id: number) =>
    (await migrator('webhook_endpoints').where({ id }).first()).webhook_host_id;
  expect(await hostOfEndpoint(answered.webhookEndpointId)).toBe(hosts[1].id);
  expect(await hostOfEndpoint(beside.webhookEndpointId)).toBe(hosts[1].id);
  expect(await hostOfEndpoint(silent.webhookEndpointId)).toBe(hosts[0].id);
  const attempts = await migrator('webhook_attempts')
    .where({ workspace_id: workspaceId })
    .whereNull('finished_at');
  expect(attempts).toMatchObject([{ webhook_host_id: hosts[1].id }]);
  // Inserts a receiver as the previous release does, which does not know hosts.
  const added = await database.inWorkspace(workspaceId, (tx) =>
    webhookEndpointAt(tx, 'https://answered.example.com/three', at),
  );
  expect(await hostOfEndpoint(added)).toBe(hosts[1].id);
});
