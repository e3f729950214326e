import { beforeEach, describe, expect, it } from 'vitest';
import { claimAttempt } from '../../../../domain/events/webhook-deliveries/claim-attempt.js';
import { useApi } from '../../../support/api/use-api.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { addDelivery } from '../../../support/webhooks/webhook-history.js';

const { workspace, asAdmin } = useApi();
let ruleId: number;
beforeEach(async () => {
  ruleId = (await addEventRule(workspace)).id;
});

const cancel = (id: number, rule = ruleId) => asAdmin('POST', `/event-rules/${rule}/deliveries/${id}/cancel`);
const claim = (deliveryId: number) => {
  const { workspaceId } = workspace;
  const context = { ...workspace.context(), encryption: testEncryption };
  return claimAttempt(context, { workspaceId, deliveryId, ruleId });
};

describe('cancelling a delivery', () => {
  it('ends a pending delivery, and no further attempt follows', async () => {
    const { id, event } = await addDelivery(workspace, ruleId, { status: 'pending', attempts: 1 });

    const answer = await cancel(id);

    expect(answer).toMatchObject({
      status: 200,
      body: {
        id,
        eventId: event.uuid,
        status: 'cancelled',
        failureReason: 'cancelled_by_member',
        nextAttemptAt: null,
        completedAt: expect.any(String),
      },
    });
    expect(await claim(id)).toMatchObject({ kind: 'settled', status: 'cancelled' });
  });

  it.each(['delivered', 'failed', 'cancelled'] as const)('returns 409 for a %s delivery', async (status) => {
    const { id } = await addDelivery(workspace, ruleId, { status });
    const path = `/event-rules/${ruleId}/deliveries/${id}`;
    const before = (await asAdmin('GET', path)).body;

    expect(await cancel(id)).toMatchObject({ status: 409, body: { code: 'delivery_completed' } });
    expect((await asAdmin('GET', path)).body).toEqual(before);
  });

  it('returns 409 while an attempt is in progress', async () => {
    const { id } = await addDelivery(workspace, ruleId, { status: 'pending' });
    expect(await claim(id)).toMatchObject({ kind: 'claimed' });

    expect(await cancel(id)).toMatchObject({ status: 409, body: { code: 'attempt_under_way' } });
    expect((await asAdmin('GET', `/event-rules/${ruleId}/deliveries/${id}`)).body.status).toBe('pending');
  });

  it('cancels once for concurrent requests', async () => {
    const { id } = await addDelivery(workspace, ruleId, { status: 'pending' });
    const answers = await Promise.all([cancel(id), cancel(id), cancel(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it('returns 404 for a delivery of another rule', async () => {
    const { id } = await addDelivery(workspace, ruleId, { status: 'pending' });
    const other = await addEventRule(workspace);
    expect((await cancel(id, other.id)).status).toBe(404);
    expect((await cancel(id + 1_000)).status).toBe(404);
    expect((await cancel(id)).status).toBe(200);
  });
});
