import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { Database } from '../../db/database.js';
import { writeOutboxOfNoWorkspace } from '../../db/outbox.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

const setup = useWorkspace();
const entry = () => {
  const input = { loginCodeUuid: randomUUID(), channel: 'email' };
  return { runType: 'sendLoginCode', subject: input.loginCodeUuid, action: 'start', input } as const;
};

it('writeOutboxOfNoWorkspace wakes the relay, which can read the entry', async () => {
  const onOutboxWritten = vi.fn();
  const database = new Database({ url: setup.database.appUrl, onOutboxWritten });
  const written = entry();

  await database.inIdentity((tx) => writeOutboxOfNoWorkspace(tx, written));
  await database.close();

  expect(onOutboxWritten).toHaveBeenCalledTimes(1);
  const relay = new pg.Client({ connectionString: setup.database.relayUrl });
  await relay.connect();
  const { rows } = await relay.query('select workspace_id from outbox where subject = $1', [written.subject]);
  await relay.end();
  expect(rows).toEqual([{ workspace_id: null }]);
});

it('an outbox entry without a workspace is hidden from workspaces, and entries of a workspace cannot be written outside it', async () => {
  const { database } = setup.database;
  const { workspaceId } = setup.workspace;
  await database.inIdentity((tx) => writeOutboxOfNoWorkspace(tx, entry()));

  const seen = await database.inWorkspace(workspaceId, (tx) => tx('outbox').whereNull('workspace_id'));
  expect(seen).toEqual([]);
  const row = { run_type: 'x', subject: randomUUID(), action: 'start', input: '{}' };
  await expect(database.inWorkspace(workspaceId, (tx) => tx('outbox').insert(row))).rejects.toMatchObject({
    code: '42501',
  });
  await expect(
    database.inIdentity((tx) => tx('outbox').insert({ ...row, workspace_id: workspaceId })),
  ).rejects.toMatchObject({ code: '42501' });
});

it('inIdentity shows no rows of tenant tables', async () => {
  expect(await setup.database.database.inIdentity((tx) => tx('members'))).toEqual([]);
});
