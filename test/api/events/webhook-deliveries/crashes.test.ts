import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../../db/database.js';
import { useApiOn } from '../../../support/api/use-api.js';
import { type DyingConnections, dyingConnections } from '../../../support/faults/dying-connections.js';
import { days } from '../../../support/lib/moved-clock.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { addDelivery, addEvent } from '../../../support/webhooks/webhook-history.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
let database: Database;
let observer: pg.Client;
let connections: DyingConnections;

beforeAll(async () => {
  observer = new pg.Client({ connectionString: suite.database.superuserUrl });
  await observer.connect();
  database = new Database({ url: suite.database.appUrl });
});
afterAll(async () => {
  await database.close();
  await observer.end();
});
const api = useApiOn(() => database);
beforeEach(() => {
  connections = dyingConnections();
});
afterEach(() => connections.restore());

const since = new Date(Date.now() - days(1)).toISOString();

/** A rule with two failed deliveries. */
async function failedRule(): Promise<number> {
  const { id } = await addEventRule(suite.workspace);
  for (let number = 0; number < 2; number += 1) await addDelivery(suite.workspace, id, { status: 'failed' });
  return id;
}

/** A rule with two missed events. */
async function missedRule(): Promise<number> {
  const { id } = await addEventRule(suite.workspace);
  const at = new Date(Date.now() + days(1));
  for (let number = 0; number < 2; number += 1) await addEvent(suite.workspace, { at });
  const until = new Date(at.getTime() + 1);
  await observer.query(
    'update event_rules set missed_times = tstzmultirange(tstzrange($2, $3)) where id = $1',
    [id, at, until],
  );
  return id;
}

const what = {
  failed: {
    stage: failedRule,
    path: 'redeliveries',
    body: { since },
    trigger: 'redelivery',
    all: { redelivered: 2, more: false },
  },
  'was missed': {
    stage: missedRule,
    path: 'deliver-missed',
    body: {},
    trigger: 'missed',
    all: { queued: 2, more: false },
  },
};

/** The deliveries with this trigger and the runs in the outbox for them. */
async function begun(ruleId: number, trigger: string): Promise<{ deliveries: number; runs: number }> {
  const { rows } = await observer.query(
    `select count(*)::int as deliveries, count(o.id)::int as runs
     from webhook_deliveries d left join outbox o on o.subject = d.uuid
     where d.event_rule_id = $1 and d.trigger = $2`,
    [ruleId, trigger],
  );
  return rows[0];
}

describe.each([
  ['before', 'failed'],
  ['after', 'failed'],
  ['before', 'was missed'],
  ['after', 'was missed'],
] as const)('a connection lost %s each statement of delivering what %s', (when, kind) => {
  it('leaves all deliveries with their runs or none, and a retry of the request completes them', async () => {
    const { stage, path, body, trigger, all } = what[kind];
    const deliver = (ruleId: number, key: string) =>
      api.request('POST', suite.workspace.path(`/event-rules/${ruleId}/${path}`), {
        apiKey: suite.workspace.admin.apiKey,
        headers: { 'Idempotency-Key': key },
        body,
      });
    let lost = true;
    for (let statement = 1; lost; statement += 1) {
      // Events that the previous rules missed do not count for this one.
      await observer.query('delete from events');
      const ruleId = await stage();
      const key = randomUUID();
      connections.dieAt(statement, when);
      const first = await deliver(ruleId, key);
      lost = connections.sent >= statement;
      connections.dieAt(0, when);

      const { deliveries, runs } = await begun(ruleId, trigger);
      expect([0, 2]).toContain(deliveries);
      expect(runs).toBe(deliveries);
      if (first.status === 201) expect(deliveries).toBe(2);

      const second = await deliver(ruleId, key);
      expect(second).toMatchObject({ status: 201, body: all });
      expect(await begun(ruleId, trigger)).toEqual({ deliveries: 2, runs: 2 });
    }
  });
});
