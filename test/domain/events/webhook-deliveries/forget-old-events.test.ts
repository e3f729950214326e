import { beforeEach, describe, expect, it } from 'vitest';
import type { EventPlace } from '../../../../db/events/forget-events.js';
import { webhookEndpointAt } from '../../../../db/events/webhook-endpoints.js';
import {
  type Forgotten,
  oldEventData,
} from '../../../../domain/events/webhook-deliveries/forget-old-events.js';
import { allBatches } from '../../../support/lib/all-batches.js';
import { days, MovedClock } from '../../../support/lib/moved-clock.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { addDelivery, addEvent } from '../../../support/webhooks/webhook-history.js';
import { createWorkspace, randomTag, type TestWorkspace } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const clock = new MovedClock();
const context = () => ({ db: suite.database.database, clock });
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await createWorkspace(suite.database.database);
});

const ago = (milliseconds: number) => new Date(clock.now().getTime() - milliseconds);
const old = () => ago(days(30) + 1);
const young = () => ago(days(30));
const nothing = { deliveries: 0, events: 0, secrets: 0, notices: 0, rules: 0, endpoints: 0, hosts: 0 };

/** The batches of all kinds, in their order. */
async function batches(): Promise<Forgotten & { count: number }> {
  const found: Partial<Forgotten> = {};
  let count = 0;
  for (const [kind, forgetOld] of Object.entries(oldEventData)) {
    const deleted = await allBatches<EventPlace | true>((after) =>
      forgetOld(context(), workspace.workspaceId, after === true ? undefined : after),
    );
    found[kind as keyof Forgotten] = deleted.reduce((sum, each) => sum + each, 0);
    count += deleted.length;
  }
  return { ...(found as Forgotten), count };
}

async function forget(): Promise<Forgotten> {
  const { count: _, ...forgotten } = await batches();
  return forgotten;
}

async function ids(table: string, place = workspace): Promise<number[]> {
  return place.database.inWorkspace(place.workspaceId, (tx) => tx(table).orderBy('id').pluck('id'));
}

const update = (table: string, id: number, values: object) =>
  workspace.within((tx) => tx(table).where({ id }).update(values));

describe('forgetOldEvents for events and deliveries', () => {
  it('deletes those older than 30 days, with their attempts', async () => {
    const rule = await addEventRule(workspace);
    for (const status of ['delivered', 'failed', 'cancelled'] as const)
      await addDelivery(workspace, rule.id, { status, at: old(), attempts: 2 });
    const kept = await addDelivery(workspace, rule.id, { at: young(), attempts: 1 });

    expect(await forget()).toEqual({ ...nothing, deliveries: 3, events: 3 });

    expect(await ids('webhook_deliveries')).toEqual([kept.id]);
    expect(await ids('webhook_attempts')).toHaveLength(1);
    expect(await ids('events')).toEqual([kept.event.id]);
  });

  it('deletes old events without a delivery', async () => {
    await addEvent(workspace, { at: old() });
    const kept = await addEvent(workspace, { at: young() });

    expect(await forget()).toEqual({ ...nothing, events: 1 });

    expect(await ids('events')).toEqual([kept.id]);
  });

  it('keeps those that are still being delivered, however old', async () => {
    const rule = await addEventRule(workspace);
    const { id, event } = await addDelivery(workspace, rule.id, {
      status: 'pending',
      at: old(),
      attempts: 1,
    });

    expect(await forget()).toEqual(nothing);

    expect(await ids('webhook_deliveries')).toEqual([id]);
    expect(await ids('events')).toEqual([event.id]);
    expect(await ids('webhook_attempts')).toHaveLength(1);
  });

  it('keeps an event while a younger delivery of it exists', async () => {
    const rule = await addEventRule(workspace);
    const { event } = await addDelivery(workspace, rule.id, { status: 'failed', at: old() });
    const again = await addDelivery(workspace, rule.id, { event, trigger: 'redelivery', at: young() });

    expect(await forget()).toEqual({ ...nothing, deliveries: 1 });

    expect(await ids('webhook_deliveries')).toEqual([again.id]);
    expect(await ids('events')).toEqual([event.id]);
  });

  it('deletes all of them in batches of a thousand, skipping those that stay', async () => {
    const rule = await addEventRule(workspace);
    const { workspaceId, database } = workspace;
    await addDelivery(workspace, rule.id, { status: 'pending', at: ago(days(40)) });
    await database.inWorkspace(workspaceId, (tx) =>
      tx.raw(
        `with made as (
           insert into events (workspace_id, event_type, body, created_at)
           select ?, 'chat:created', '{}', ?::timestamptz + n * interval '1 microsecond'
           from generate_series(1, 2500) n returning id, created_at)
         insert into webhook_deliveries
           (workspace_id, event_rule_id, event_id, event_type, trigger, status, created_at, completed_at)
         select ?, ?, id, 'chat:created', 'event', 'delivered', created_at, created_at from made`,
        [workspaceId, ago(days(39)), workspaceId, rule.id],
      ),
    );

    // Three batches of deliveries, four of events (the last one finds none), and one of each other kind.
    const count = 3 + 4 + 5;
    expect(await batches()).toEqual({ ...nothing, deliveries: 2500, events: 2500, count });
    expect(await ids('events')).toHaveLength(1);
  });

  it('skips a delivery that is being delivered again, and deletes it later', async () => {
    const rule = await addEventRule(workspace);
    const { id, event } = await addDelivery(workspace, rule.id, { status: 'failed', at: old() });

    await workspace.within(async (tx) => {
      await tx.raw('select 1 from webhook_deliveries where id = ? for key share', [id]);
      expect(await forget()).toEqual(nothing);
    });

    expect(await ids('events')).toEqual([event.id]);
    expect(await forget()).toEqual({ ...nothing, deliveries: 1, events: 1 });
  });

  it('keeps those of other workspaces', async () => {
    const other = await createWorkspace(suite.database.database);
    const rule = await addEventRule(other);
    await addDelivery(other, rule.id, { at: old() });

    expect(await forget()).toEqual(nothing);

    expect(await ids('webhook_deliveries', other)).toHaveLength(1);
  });
});

describe('forgetOldEvents for rules', () => {
  it('deletes deleted rules after 30 days with their notices and receivers, once no delivery is left', async () => {
    const gone = await addEventRule(workspace, { url: 'https://receiver.invalid/gone' });
    const kept = await addEventRule(workspace, { url: 'https://receiver.invalid/kept' });
    const alive = await addEventRule(workspace, { url: 'https://receiver.invalid/alive' });
    await addNotice(gone.id, young());
    await addDelivery(workspace, gone.id, { at: old() });
    await addDelivery(workspace, alive.id, { at: old() });
    await update('event_rules', gone.id, { deleted_at: old() });
    await update('event_rules', kept.id, { deleted_at: young() });

    expect(await forget()).toEqual({ ...nothing, deliveries: 2, events: 2, rules: 1, endpoints: 1 });

    expect(await ids('event_rules')).toEqual([kept.id, alive.id]);
    expect(await ids('webhook_endpoints')).toEqual([kept.webhookEndpointId, alive.webhookEndpointId]);
    expect(await ids('event_rule_notices')).toEqual([]);
  });

  it('keeps a deleted rule while a delivery is left', async () => {
    const rule = await addEventRule(workspace);
    await addDelivery(workspace, rule.id, { status: 'pending', at: old() });
    await update('event_rules', rule.id, { deleted_at: old() });

    expect(await forget()).toEqual(nothing);
  });

  it('deletes expired secrets only', async () => {
    const rule = await addEventRule(workspace, { secret: 'a secret of test length' });
    const secret = {
      workspace_id: workspace.workspaceId,
      event_rule_id: rule.id,
      ciphertext: Buffer.from('x'),
    };
    await workspace.within(async (tx) => {
      await tx('event_rule_secrets').insert({ ...secret, created_at: old(), expires_at: clock.now() });
      await tx('event_rule_secrets').insert({ ...secret, created_at: old(), expires_at: ago(-1) });
    });

    expect(await forget()).toEqual({ ...nothing, secrets: 1 });

    expect(await ids('event_rule_secrets')).toHaveLength(2);
  });

  it('deletes notices older than 30 days', async () => {
    const rule = await addEventRule(workspace);
    await addNotice(rule.id, old());
    const kept = await addNotice(rule.id, young());

    expect(await forget()).toEqual({ ...nothing, notices: 1 });

    expect(await ids('event_rule_notices')).toEqual([kept]);
  });

  it('deletes a receiver that its rule has left once its attempts are deleted', async () => {
    const rule = await addEventRule(workspace, { url: 'https://receiver.invalid/before' });
    await addDelivery(workspace, rule.id, { at: young(), attempts: 1 });
    const next = await workspace.within((tx) =>
      webhookEndpointAt(tx, 'https://receiver.invalid/after', clock.now()),
    );
    await update('event_rules', rule.id, { webhook_endpoint_id: next });

    expect(await forget()).toEqual(nothing);
    expect(await ids('webhook_endpoints')).toEqual([rule.webhookEndpointId, next]);

    clock.advance(days(1));
    expect(await forget()).toEqual({ ...nothing, deliveries: 1, events: 1, endpoints: 1 });
    expect(await ids('webhook_endpoints')).toEqual([next]);
  });

  it('keeps an unused receiver that a transaction is about to use', async () => {
    const url = `https://receiver.invalid/${randomTag()}`;
    const { database, workspaceId } = workspace;
    const unused = await database.inWorkspace(workspaceId, (tx) => webhookEndpointAt(tx, url, clock.now()));

    await database.inWorkspace(workspaceId, async (tx) => {
      expect(await webhookEndpointAt(tx, url, clock.now())).toBe(unused);
      expect(await forget()).toEqual(nothing);
    });

    expect(await forget()).toEqual({ ...nothing, endpoints: 1, hosts: 1 });
  });

  async function addNotice(eventRuleId: number, at: Date): Promise<number> {
    return workspace.within(async (tx) => {
      const [{ id }] = await tx('event_rule_notices')
        .insert({
          workspace_id: workspace.workspaceId,
          event_rule_id: eventRuleId,
          member_id: workspace.admin.memberId,
          reason: 'failing',
          created_at: at,
        })
        .returning('id');
      return id;
    });
  }
});
