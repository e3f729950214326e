import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLivePublisher } from '../../db/live/live-publisher.js';
import { outboxChannel } from '../../db/notifier.js';
import { connect, queryOnce } from '../support/db/connect.js';
import { useDatabase } from '../support/db/use-database.js';
import { waitFor } from '../support/lib/wait-for.js';

const testDatabase = useDatabase();
let listener: pg.Client;
let heard = 0;

beforeAll(async () => {
  listener = await connect(testDatabase.relayUrl);
  listener.on('notification', () => {
    heard += 1;
  });
  await listener.query(`listen ${outboxChannel}`);
});
afterAll(() => listener.end());
beforeEach(() => {
  heard = 0;
});

describe('outboxWritten', () => {
  it('notifies a listener', async () => {
    const publisher = createLivePublisher(testDatabase.appUrl);
    publisher.outboxWritten();
    await expect.poll(() => heard).toBe(1);
    await publisher.close();
  });

  it('sends one notification for any number of commits at once', async () => {
    const publisher = createLivePublisher(testDatabase.appUrl);
    for (let commits = 0; commits < 1_000; commits += 1) publisher.outboxWritten();
    await expect.poll(() => heard).toBe(1);
    await publisher.close();
    await listener.query('select 1');
    expect(heard).toBe(1);
  });

  it('reconnects after its connection was lost', async () => {
    const publisher = createLivePublisher(testDatabase.appUrl);
    publisher.outboxWritten();
    await expect.poll(() => heard).toBe(1);
    await queryOnce(
      testDatabase.superuserUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'wes live publisher'
         and datname = current_database()`,
    );
    await waitFor('it is heard again', () => {
      publisher.outboxWritten();
      return heard > 1;
    });
    await publisher.close();
  });

  it('does not fail when the database cannot be reached', async () => {
    const publisher = createLivePublisher('postgres://nobody@127.0.0.1:1/nothing');
    publisher.outboxWritten();
    await expect(publisher.close()).resolves.toBeUndefined();
  });
});
