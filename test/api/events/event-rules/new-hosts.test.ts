import { beforeEach, expect, it } from 'vitest';
import { mostNewHosts } from '../../../../domain/events/event-rules/receiver.js';
import { claimAttempt } from '../../../../domain/events/webhook-deliveries/claim-attempt.js';
import { recordAttempt } from '../../../../domain/events/webhook-deliveries/record-attempt.js';
import { callAs } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { hours, MovedClock } from '../../../support/lib/moved-clock.js';
import { createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';

const clock = new MovedClock(new Date('2031-05-01T12:00:00Z'));
const suite = useApi({ clock });
const { api } = suite;
let workspace: TestWorkspace;
let call: ReturnType<typeof callAs>;
beforeEach(async () => {
  workspace = await createWorkspace(suite.database.database);
  call = callAs(api, workspace, workspace.admin);
});

const create = (webhookUrl: string) =>
  call('POST', '/event-rules', {
    name: 'Calls',
    eventType: 'chat:created',
    actionType: 'webhook:send',
    actionParams: { webhookUrl },
  });

it('shows on an event rule when its receiver first answered, including answers to test events', async () => {
  const { body: rule } = await create('https://receiver.example.com/hooks');
  expect(rule).toMatchObject({ enabled: true, receiverAnsweredAt: null });
  const { body: delivery } = await call('POST', `/event-rules/${rule.id}/test`);
  const context = { db: workspace.database, clock, encryption: testEncryption };
  const ref = { workspaceId: workspace.workspaceId, deliveryId: delivery.id, ruleId: rule.id };
  const claimed = await claimAttempt(context, ref);
  if (claimed.kind !== 'claimed') throw new Error(`it is ${claimed.kind}`);

  await recordAttempt({ ...context, retryDelaysMs: [0] }, claimed.attempt, {
    kind: 'answered',
    statusCode: 204,
    durationMs: 5,
    body: '',
  });

  const receiverAnsweredAt = clock.now().toISOString();
  expect((await call('GET', `/event-rules/${rule.id}`)).body).toMatchObject({ receiverAnsweredAt });
  expect((await create('https://receiver.example.com:8443/others')).body).toMatchObject({
    receiverAnsweredAt,
  });
});

it('limits new receiver hosts per workspace and day, but not further URLs of known hosts', async () => {
  const { body: rule } = await create('https://first.example.com/hooks');
  await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
    tx('webhook_hosts').insert(
      Array.from({ length: mostNewHosts - 2 }, (_, index) => ({
        workspace_id: workspace.workspaceId,
        host: `host-${index}.example.com`,
        created_at: clock.now(),
      })),
    ),
  );
  const move = (webhookUrl: string) =>
    call('PUT', `/event-rules/${rule.id}`, { actionParams: { webhookUrl } });
  expect((await move('https://last.example.com/hooks')).status).toBe(200);

  const refused = { status: 409, body: { code: 'too_many_new_receivers' } };
  expect(await move('https://more.example.com/hooks')).toMatchObject(refused);
  expect(await create('https://more.example.com/hooks')).toMatchObject(refused);
  expect((await call('GET', '/event-rules')).body).toMatchObject({ total: 1 });
  expect((await create('https://first.example.com/others')).status).toBe(201);
  clock.advance(hours(24));
  expect((await create('https://more.example.com/hooks')).status).toBe(201);
});
