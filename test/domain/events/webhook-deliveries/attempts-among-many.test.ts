import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../../db/database.js';
import { cancelDelivery } from '../../../../domain/events/webhook-deliveries/cancel-delivery.js';
import { claimAttempt } from '../../../../domain/events/webhook-deliveries/claim-attempt.js';
import { deferAttempt } from '../../../../domain/events/webhook-deliveries/defer-attempt.js';
import { systemClock } from '../../../../domain/lib/clock.js';
import { explaining } from '../../../support/db/explained.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { makeManyDeliveries } from '../../../support/webhooks/many-deliveries.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const total = 50_000;
/** This many deliveries wait for a receiver that hangs, while the statistics of PostgreSQL say five. */
const waiting = 10_000;
const from = new Date('2026-01-01T00:00:00Z');
const stage = useWorkspace();
let superuser: pg.Client;
let ref: { workspaceId: number; deliveryId: number; ruleId: number };

beforeAll(async () => {
  superuser = new pg.Client({ connectionString: stage.database.superuserUrl });
  await superuser.connect();
  const { id: ruleId } = await addEventRule(stage.workspace);
  await makeManyDeliveries(stage.database.superuserUrl, stage.workspace, ruleId, { total, from });
  await superuser.query(
    'analyze webhook_deliveries, webhook_attempts, events, event_rules, webhook_endpoints',
  );
  await superuser.query(
    `update webhook_deliveries set status = 'pending', completed_at = null, next_attempt_at = created_at
     where id > (select max(id) - $1 from webhook_deliveries)`,
    [waiting],
  );
  const { rows } = await superuser.query('select max(id) as id from webhook_deliveries');
  ref = { workspaceId: stage.workspace.workspaceId, deliveryId: Number(rows[0].id), ruleId };
}, 120_000);
afterAll(() => superuser.end());

/** The number of rows that PostgreSQL reads. */
async function rowsFor(work: (db: Database) => Promise<unknown>): Promise<number> {
  const explained = await explaining(
    stage.database.appUrl,
    stage.workspace.workspaceId,
    work,
    /\bwebhook_(deliveries|attempts)\b/,
  );
  expect(explained.length).toBeGreaterThan(0);
  return explained.reduce((sum, { rows }) => sum + rows, 0);
}

it('claimAttempt, deferAttempt and cancelDelivery read no other waiting deliveries', async () => {
  const context = (db: Database) => ({ db, clock: systemClock, encryption: testEncryption });

  expect(await rowsFor((db) => claimAttempt(context(db), ref))).toBeLessThan(50);
  expect(await rowsFor((db) => deferAttempt(context(db), ref))).toBeLessThan(50);
  expect(await rowsFor((db) => cancelDelivery(context(db), ref))).toBeLessThan(50);
});
