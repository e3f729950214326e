import { createHash } from 'node:crypto';
import knex, { type Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as links from '../../../db/migrations/0106-unsubscribe-links.js';
import * as earlierLinks from '../../../db/migrations/0109-earlier-unsubscribe-links.js';
import { days } from '../../support/lib/moved-clock.js';
import { addInbox } from '../../support/workspace/inboxes.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { workspace, database } = useWorkspace();
let migrator: Knex;
let inboxId: number;

beforeAll(async () => {
  migrator = knex({ client: 'pg', connection: database.migratorUrl });
  inboxId = (await addInbox(workspace)).id;
});
afterAll(() => migrator.destroy());

const within = <T>(work: Parameters<typeof workspace.database.inWorkspace<T>>[1]) =>
  workspace.database.inWorkspace(workspace.workspaceId, work);
const addressOf = (token: string) => `${token}@patients.example`;
const digestOf = (token: string) =>
  `sha256:${createHash('sha256')
    .update(`${workspace.workspaceId}:${addressOf(token)}`)
    .digest('hex')}`;
/** Stores an email as the release before does, which knows no links. */
const write = (token: string, ageDays: number, more: object = {}) =>
  within(async (tx) =>
    tx('emails').insert({
      workspace_id: workspace.workspaceId,
      inbox_id: inboxId,
      direction: 'out',
      subject: '',
      from_address: 'desk@inboxes.example',
      from_name: 'Desk',
      to_address: addressOf(token),
      unsubscribe_token: token,
      automatic: true,
      created_at: new Date(Date.now() - days(ageDays)),
      ...more,
    }),
  );
const optOut = (token: string) =>
  within(async (tx) =>
    tx('email_opt_outs').insert({
      workspace_id: workspace.workspaceId,
      recipient: addressOf(token),
      opted_out_at: new Date(),
      source: 'link',
    }),
  );
const linked = async () =>
  (
    await within(async (tx) => tx('unsubscribe_links').orderBy('token').select('token', 'recipient_digest'))
  ).map(({ token, recipient_digest }) => [token, recipient_digest]);

it('an email has its link when a process of the release before writes it, or wrote it before the migration', async () => {
  await migrator.transaction(earlierLinks.down);
  await migrator.transaction(links.down);
  await write('old', 61);
  await write('recent', 59);
  await write('revoked', 1, { tokens_revoked_at: new Date() });
  await optOut('recent');
  await migrator.transaction(links.up);
  // Between the two migrations.
  await write('meanwhile', 0);
  await optOut('meanwhile');
  await migrator.transaction(async (tx) => {
    await earlierLinks.up(tx);
    const { rows } = await tx.raw(
      `select relation::regclass::text as name, mode from pg_locks where pid = pg_backend_pid()
         and relation::regclass::text in ('emails', 'email_opt_outs')
         and mode in ('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock')`,
    );
    expect(rows).toEqual([{ name: 'email_opt_outs', mode: 'ShareRowExclusiveLock' }]);
  });
  await write('after', 0);

  const expected = ['after', 'meanwhile', 'recent'].map((token) => [token, digestOf(token)]);
  expect(await linked()).toEqual(expected);
  const optOuts = within(async (tx) => tx('email_opt_outs').orderBy('recipient').select('recipient_digest'));
  expect((await optOuts).map((row) => row.recipient_digest)).toEqual([
    digestOf('meanwhile'),
    digestOf('recent'),
  ]);

  await within(async (tx) => tx('emails').whereNotNull('unsubscribe_token').delete());
  expect(await linked()).toEqual(expected);
});

it('the second migration adds the triggers where an earlier form of the first has filled the tables', async () => {
  await migrator.raw(`
    drop trigger note_unsubscribe_link on emails;
    drop trigger revoke_unsubscribe_link on emails;
    drop function note_unsubscribe_link, revoke_unsubscribe_link;
    alter table email_opt_outs alter column recipient_digest set not null;
  `);
  const before = await linked();
  await migrator.transaction(earlierLinks.up);
  expect(await linked()).toEqual(before);
  await write('later', 0);
  expect(await linked()).toContainEqual(['later', digestOf('later')]);
  await within(async (tx) =>
    tx('emails').where({ unsubscribe_token: 'later' }).update({ tokens_revoked_at: new Date() }),
  );
  expect(await linked()).toEqual(before);
});
