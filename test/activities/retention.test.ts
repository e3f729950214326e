import { MockActivityEnvironment } from '@temporalio/testing';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Retention, retentionActivities } from '../../activities/kernel/retention.js';
import { statementsOf } from '../support/db/statements-of.js';
import { days, MovedClock } from '../support/lib/moved-clock.js';
import { addEventRule } from '../support/webhooks/event-rules.js';
import { addDelivery } from '../support/webhooks/webhook-history.js';
import { createWorkspace, type TestWorkspace } from '../support/workspace/factories.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

const suite = useWorkspace();
const clock = new MovedClock();
let places: TestWorkspace[];
let superuser: pg.Client;
beforeAll(async () => {
  const { database, superuserUrl } = suite.database;
  places = [suite.workspace, await createWorkspace(database), await createWorkspace(database)];
  superuser = new pg.Client({ connectionString: superuserUrl });
  await superuser.connect();
});
afterAll(() => superuser.end());

/** Adds a delivery to each workspace that is old enough to be deleted. */
async function addOld(): Promise<void> {
  for (const place of places) {
    const rule = await addEventRule(place);
    await addDelivery(place, rule.id, { at: new Date(clock.now().getTime() - days(31)) });
  }
}

const activities = (sliceMs?: number) =>
  retentionActivities(
    { db: suite.database.database, clock, logger: pino({ level: 'silent' }) },
    sliceMs === undefined ? {} : { sliceMs },
  );

function forget(sliceMs?: number): Promise<Retention> {
  return new MockActivityEnvironment().run(activities(sliceMs).forgetOldEvents);
}

const left = () =>
  Promise.all(
    places.map(({ database, workspaceId }) =>
      database.inWorkspace(workspaceId, async (tx) => (await tx('webhook_deliveries').select('id')).length),
    ),
  );

describe('the activity forgetOldEvents', () => {
  it('deletes old events in all workspaces, and counts them', async () => {
    await addOld();

    expect(await forget()).toMatchObject({ deliveries: 3, events: 3, failed: 0 });

    expect(await left()).toEqual([0, 0, 0]);
    expect(await forget()).toMatchObject({ deliveries: 0, events: 0, failed: 0 });
  });

  it('goes on where a slice ended, until nothing is left', async () => {
    await addOld();
    const found = [];
    do found.push(await forget(0));
    while (found.at(-1)?.next !== undefined);

    expect(found.filter(({ deliveries }) => deliveries > 0)).toHaveLength(3);
    expect(found.length).toBeGreaterThan(6);
    expect(await left()).toEqual([0, 0, 0]);
    expect(await forget()).toMatchObject({ deliveries: 0, events: 0 });
  });

  it('finds what has grown old of each kind, and enters no workspace for what has not', async () => {
    const [place] = places as [TestWorkspace];
    const { id: ruleId } = await addEventRule(place, {
      deletedAt: clock.now(),
      url: 'https://once.invalid/',
      secret: 'a secret of test length',
    });
    await addDelivery(place, ruleId, { at: clock.now(), attempts: 1 });
    await superuser.query(
      `insert into event_rule_notices (workspace_id, event_rule_id, member_id, reason, created_at)
       values ($1, $2, $3, 'failing', $4)`,
      [place.workspaceId, ruleId, place.member.memberId, clock.now()],
    );
    await superuser.query(
      `insert into handoff_notices (workspace_id, member_id, channel, created_at) values ($1, $2, 'email', $3)`,
      [place.workspaceId, place.member.memberId, clock.now()],
    );
    await superuser.query('update event_rule_secrets set expires_at = $1', [
      new Date(clock.now().getTime() + days(1)),
    ]);

    expect((await statementsOf(forget)).filter((text) => /delete from|looked as/.test(text))).toEqual([]);

    clock.advance(days(31));
    expect(await forget()).toMatchObject({ deliveries: 1, events: 1, secrets: 1, notices: 2, rules: 1 });
    // What these alone used is unused from now on.
    expect(await forget()).toMatchObject({ endpoints: 1, hosts: 0 });
    expect(await forget()).toMatchObject({ endpoints: 0, hosts: 1, failed: 0 });
  });

  it('continues with the other workspaces when one fails, and counts the failure', async () => {
    await addOld();
    const [first] = places;
    await superuser.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create trigger refuse before delete on webhook_deliveries for each row
        when (old.workspace_id = ${Number(first?.workspaceId)}) execute function refuse()`);

    expect(await forget()).toMatchObject({ deliveries: 2, failed: 1 });
    expect(await left()).toEqual([1, 0, 0]);

    await superuser.query('drop function refuse cascade');
    expect(await forget()).toMatchObject({ deliveries: 1, failed: 0 });
  });
});

describe('the activity forgetOldData', () => {
  const forgetData = (sliceMs?: number) =>
    new MockActivityEnvironment().run(activities(sliceMs).forgetOldData);
  const keep = (place: TestWorkspace | undefined, chatRetentionDays: number | null) =>
    suite.database.database.identity.workspaces.update(Number(place?.workspaceId), { chatRetentionDays });

  it('deletes nothing where a workspace says nothing, and goes on behind a workspace that fails', async () => {
    for (const place of places) {
      await superuser.query(
        `insert into chats (workspace_id, channel, chat_type, member_id, updated_at)
         values ($1, 'web-chat', 'simple', $2, now() - interval '1 year')`,
        [place.workspaceId, place.member.memberId],
      );
    }
    expect(await forgetData()).toMatchObject({ chats: 0, files: 0, failed: 0 });

    for (const place of places) await keep(place, 30);
    await superuser.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create trigger refuse before update on chats for each row
        when (old.workspace_id = ${Number(places[0]?.workspaceId)}) execute function refuse()`);
    expect(await forgetData()).toMatchObject({ chats: 2, files: 0, failed: 1 });
    await superuser.query('drop function refuse cascade');
    expect(await forgetData()).toMatchObject({ chats: 1, files: 0, failed: 0 });
  });
});
