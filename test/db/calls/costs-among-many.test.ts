import { beforeAll, expect, it } from 'vitest';
import { sumCarrierCosts } from '../../../db/calls/carrier-costs.js';
import { connect } from '../../support/db/connect.js';
import { explaining } from '../../support/db/explained.js';
import { fillTables } from '../../support/db/fill-tables.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

/** A million in CI. */
const total = Number(process.env.TEST_ROWS ?? 50_000);
const stage = useWorkspace();
const begin = Date.parse('2026-01-01T00:00:00Z');
const dayMs = 86_400_000;

/** Each hundredth of the texts is of another day; a tenth of them has no price. */
beforeAll(async () => {
  const superuser = await connect(stage.database.superuserUrl);
  try {
    await fillTables(superuser, ['carrier_texts'], async () => {
      await superuser.query(
        `insert into carrier_texts
           (workspace_id, carrier_message_id, inbound, sent_at, segments, price, price_unit)
         select $1::bigint, 'SM' || n, n % 2 = 0, $2::timestamptz + make_interval(days => n % 100), 2,
           case when n / 100 % 10 > 0 then 0.0079 end, case when n / 100 % 10 > 0 then 'USD' end
         from generate_series(0, $3::int - 1) n`,
        [stage.workspace.workspaceId, new Date(begin), total],
      );
    });
  } finally {
    await superuser.end();
  }
}, 600_000);

it('among many texts, those of some days are summed, and no others are read', {
  timeout: 60_000,
}, async () => {
  const { workspaceId } = stage.workspace;
  const begins = [0, 1, 2].map((day) => new Date(begin + day * dayMs));
  const days = { dates: ['a', 'b', 'c'], begins, ends: new Date(begin + 3 * dayMs) };
  let found: unknown;
  const [plan] = await explaining(
    stage.database.appUrl,
    workspaceId,
    async (db) => {
      found = await db.readInWorkspace(workspaceId, (tx) => sumCarrierCosts(tx, days));
    },
    /carrier_texts/,
  );

  const ofDay = total / 100;
  const sums = { channel: 'phone-sms', calls: 0, durationSeconds: 0 };
  const billed = { ...sums, currency: 'USD', texts: ofDay * 0.9, segments: ofDay * 1.8, unbilled: 0 };
  const unbilled = { ...sums, currency: null, texts: ofDay / 10, segments: ofDay / 5, unbilled: ofDay / 10 };
  expect(found).toEqual(
    days.dates.flatMap((date) => [
      { ...billed, date, price: expect.closeTo(ofDay * 0.9 * 0.0079, 6) },
      { ...unbilled, date, price: 0 },
    ]),
  );
  expect(plan?.scans.join()).not.toContain('Seq Scan');
  expect(plan?.rows).toBeLessThanOrEqual(10 * ofDay);
});
