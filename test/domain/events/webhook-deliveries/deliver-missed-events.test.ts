import { beforeEach, describe, expect, it } from 'vitest';
import { disableEventRule } from '../../../../domain/events/event-rules/disable-event-rule.js';
import { disableRule } from '../../../../domain/events/event-rules/disable-rule.js';
import { enableEventRule } from '../../../../domain/events/event-rules/enable-event-rule.js';
import { deliverMissedEvents } from '../../../../domain/events/webhook-deliveries/deliver-missed-events.js';
import { redeliverFailedEvents } from '../../../../domain/events/webhook-deliveries/redeliver-failed-events.js';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import { whenWaitedFor } from '../../../support/db/locks.js';
import { days, hours, MovedClock } from '../../../support/lib/moved-clock.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { addDelivery, addEvent } from '../../../support/webhooks/webhook-history.js';
import { createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
let workspace: TestWorkspace;
let clock: MovedClock;
let ruleId: number;
beforeEach(async () => {
  workspace = await createWorkspace(suite.database.database);
  ruleId = (await addEventRule(workspace)).id;
  clock = new MovedClock(new Date(Date.now() + days(1)));
});

const context = () => workspace.context(workspace.admin, clock);
const deliver = (maxPending?: number) => deliverMissedEvents(context(), ruleId, {}, maxPending);
const happen = (count: number, at = clock.now()) =>
  Promise.all(Array.from({ length: count }, () => addEvent(workspace, { at })));
const inWorkspace = async <Row>(sql: string, bindings: readonly (number | Date)[] = []): Promise<Row[]> =>
  workspace.within(async (tx) => (await tx.raw(sql, bindings)).rows);
const settleAll = () =>
  inWorkspace(
    `update webhook_deliveries set status = 'delivered', completed_at = now(), next_attempt_at = null
     where status = 'pending'`,
  );

/** Disables the rule for `count` hours, with `each` events in every hour. */
async function missHours(count: number, each = 2): Promise<void> {
  await disableEventRule(context(), ruleId);
  for (let hour = 0; hour < count; hour += 1) {
    clock.advance(hours(1));
    await happen(each);
  }
  clock.advance(hours(1));
  await enableEventRule(context(), ruleId);
}

/** What a command and another one, which waits for the first, return. */
async function twiceAtOnce<T>(command: (db: CommandContext['db']) => Promise<T>): Promise<T[]> {
  const { database, workspaceId } = workspace;
  const { first, second } = await database.atomically(workspaceId, async (within) => {
    const first = await command(within);
    const second = command(database);
    await within.inWorkspace(workspaceId, (tx) => whenWaitedFor(tx));
    return { first, second: [second] };
  });
  return [first, ...(await Promise.all(second))];
}

it('redeliverFailedEvents waits for a concurrent call, and then finds nothing', async () => {
  for (let number = 0; number < 3; number += 1) await addDelivery(workspace, ruleId, { status: 'failed' });

  const since = new Date(Date.now() - days(1));
  const redelivered = await twiceAtOnce((db) =>
    redeliverFailedEvents({ ...context(), db }, ruleId, { since }),
  );

  expect(redelivered).toEqual([
    { redelivered: 3, more: false },
    { redelivered: 0, more: false },
  ]);
});

describe('deliverMissedEvents', () => {
  it('queues the oldest events first up to the limit of pending deliveries, and the rest later', async () => {
    await missHours(3);
    await addDelivery(workspace, ruleId, { status: 'pending' });

    expect(await deliver(4)).toEqual({ queued: 3, more: true });
    expect(await deliver(4)).toEqual({ queued: 0, more: true });
    await settleAll();
    expect(await deliver(4)).toEqual({ queued: 3, more: false });
    await settleAll();
    expect(await deliver(4)).toEqual({ queued: 0, more: false });

    const order = await inWorkspace<{ at: Date }>(
      `select e.created_at as at from webhook_deliveries d join events e on e.id = d.event_id
       where d.trigger = 'missed' order by d.id`,
    );
    const times = order.map(({ at }) => at.getTime());
    expect(times).toHaveLength(6);
    expect(times).toEqual([...times].sort((one, other) => one - other));
  });

  it('removes the delivered times from the rule', async () => {
    await missHours(3);
    clock.advance(hours(4));
    const times = async () =>
      (await inWorkspace<{ times: string }>('select missed_times::text as times from event_rules'))[0]?.times;
    expect(await times()).not.toBe('{}');

    await deliver();

    expect(await times()).toBe('{}');
  });

  it('finds events that were stored later than their time, on either side of the disabled time', async () => {
    const before = clock.now();
    clock.advance(hours(1) - 1);
    await disableEventRule(context(), ruleId);
    const [early] = await happen(1, before);
    clock.advance(hours(2));
    await enableEventRule(context(), ruleId);
    await deliver();
    const [late] = await happen(1, new Date(clock.now().getTime() - 1));

    expect(await deliver()).toEqual({ queued: 1, more: false });
    const made = await inWorkspace<{ id: number }>(
      'select event_id as id from webhook_deliveries order by id',
    );
    expect(made.map(({ id }) => id)).toEqual([early?.id, late?.id]);
  });

  it('covers a rule that the service disabled', async () => {
    await workspace.within((tx) =>
      disableRule(tx, { eventRuleId: ruleId, reason: 'gone', now: clock.now() }),
    );
    clock.advance(hours(2));
    await happen(1);
    clock.advance(hours(2));
    await enableEventRule(context(), ruleId);

    expect(await deliver()).toEqual({ queued: 1, more: false });
  });

  it('covers a rule that the previous release disabled', async () => {
    const at = clock.now();
    await inWorkspace(
      `update event_rules set enabled = false, disabled_at = ?, disabled_reason = 'by_member' where id = ?`,
      [at, ruleId],
    );
    clock.advance(hours(2));
    await happen(1);
    await enableEventRule(context(), ruleId);

    expect(await deliver()).toEqual({ queued: 1, more: false });
  });

  it('drops disabled times that are older than the kept events', async () => {
    await missHours(1);
    clock.advance(days(31));
    await missHours(1);

    const [{ times } = { times: 0 }] = await inWorkspace<{ times: number }>(
      'select count(*)::int as times from event_rules r, unnest(r.missed_times)',
    );
    expect(times).toBe(1);
  });

  it('waits for a concurrent call, and then finds nothing', async () => {
    await missHours(1, 3);

    const queued = await twiceAtOnce((db) => deliverMissedEvents({ ...context(), db }, ruleId, {}));

    expect(queued).toEqual([
      { queued: 3, more: false },
      { queued: 0, more: false },
    ]);
  });

  it('loses no event when the rule is disabled again during the call', async () => {
    await missHours(2);
    const disabling = await workspace.database.atomically(workspace.workspaceId, async (within) => {
      await deliverMissedEvents({ ...context(), db: within }, ruleId, {});
      clock.advance(hours(2));
      const meanwhile = disableEventRule(context(), ruleId);
      await within.inWorkspace(workspace.workspaceId, (tx) => whenWaitedFor(tx));
      return { meanwhile };
    });
    await disabling.meanwhile;
    const [event] = await happen(1);
    await enableEventRule(context(), ruleId);

    expect(await deliver()).toEqual({ queued: 1, more: false });
    const made = await inWorkspace<{ id: number }>(
      'select event_id as id from webhook_deliveries order by id',
    );
    expect(made).toHaveLength(5);
    expect(made.at(-1)?.id).toBe(event?.id);
  });
});
