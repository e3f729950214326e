import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { intakeDataType } from '../../tools/dev/seed/clinic-intake.js';
import { commitsOf } from '../support/db/commits-of.js';
import { connect } from '../support/db/connect.js';
import { createTestDatabase, type TestDatabase } from '../support/db/database.js';
import { waitFor } from '../support/lib/wait-for.js';
import { startSystem } from '../support/system/system.js';
import { useSmsWorkspace } from '../support/system/use-sms-workspace.js';
import { actionsOf, recordRuns } from './histories.js';
import { beginInHall } from './small-trees.js';

let database: TestDatabase;
/** Past the service, so that looking costs nothing. */
let looking: pg.Client;

const { system, workspace } = useSmsWorkspace(async () => {
  database = await createTestDatabase();
  looking = await connect(database.superuserUrl);
  return startSystem({ testDatabase: database });
});

beforeAll(() => workspace.addDataType(intakeDataType));
afterAll(async () => {
  await looking.end();
  await database.drop();
});

/** Current costs, which may only decrease: docs/bench.md says what they are made of. */
describe('in the whole service', () => {
  it('an answered SMS takes few commits and five Actions', async () => {
    const assignment = await beginInHall(workspace);
    const { chatId } = assignment;
    const delivered = async (count: number) => {
      const text = `select (select count(*)::int from deliveries where chat_id = $1 and state = 'delivered') as delivered,
        (select count(*)::int from outbox) as waiting`;
      const { rows } = await looking.query(text, [chatId]);
      return rows[0].delivered >= count && rows[0].waiting === 0;
    };
    const answered = async (count: number) => {
      await assignment.write(`hm ${count}`);
      await waitFor('the answer is delivered', () => delivered(count));
      await system.run('deliverMessages', assignment.chatUuid).result();
    };
    await waitFor('the welcome is delivered', () => delivered(1));
    await answered(2);
    await answered(3);
    const actions = async () => (await recordRuns(system, `ChatId = '${chatId}'`)).flatMap(actionsOf);
    const before = await actions();

    const commits = await commitsOf(() => answered(4), looking);

    const after = await actions();
    for (const action of before) after.splice(after.indexOf(action), 1);
    expect(after.sort()).toEqual(['activity', 'activity', 'local activities', 'signal', 'start']);
    // Nineteen, and what the relay looks for and measures meanwhile.
    expect(commits).toBeLessThanOrEqual(21);
  });

  it('ten idle seconds take fewer than ten commits', async () => {
    const commits = await commitsOf(() => delay(10_000), looking);

    expect(commits).toBeLessThanOrEqual(9);
  });
});
