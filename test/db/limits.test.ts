import { describe, expect, it, onTestFinished } from 'vitest';
import { Database, type DatabaseOptions } from '../../db/database.js';
import { withTimeLimit } from '../../db/lib/time-limit.js';
import { isStatementCancelled } from '../../db/postgres-errors.js';
import { withSavepoint } from '../../db/savepoint.js';
import { statement } from '../../db/statement.js';
import type { Tx } from '../../db/tx.js';
import { queryOnce } from '../support/db/connect.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

const { database: testDatabase, workspace } = useWorkspace();

function open(options: Partial<DatabaseOptions>): Database {
  const database = new Database({ url: testDatabase.appUrl, poolSize: 2, ...options });
  onTestFinished(() => database.close());
  return database;
}

const sleep = (database: Database, seconds: number) =>
  database.inWorkspace(workspace.workspaceId, (tx) => tx.raw('select pg_sleep(?)', [seconds]));
const readSleeping = (database: Database, seconds: number) =>
  database.readInWorkspace(workspace.workspaceId, (tx) => tx.raw('select pg_sleep(?)', [seconds]));

describe('the time limit of a statement', () => {
  it('cancels a statement that takes too long, and leaves its connection usable', async () => {
    const database = open({ limits: { statementMs: 200 } });
    await expect(sleep(database, 5)).rejects.toMatchObject({ code: '57014' });
    await expect(readSleeping(database, 5)).rejects.toMatchObject({ code: '57014' });
    await expect(sleep(database, 0)).resolves.toBeTruthy();
  });

  it('is lifted where a whole file is written or read', async () => {
    const database = open({ limits: { statementMs: 200, answerMs: 400 } }).withTerms({ isPatient: true });
    await expect(sleep(database, 0.6)).resolves.toBeTruthy();
    await expect(readSleeping(database, 0.6)).resolves.toBeTruthy();
  });

  it('ends a long wait for a lock', async () => {
    const database = open({ limits: { lockMs: 200 } });
    const update = (work?: () => Promise<void>) =>
      database.inWorkspace(workspace.workspaceId, async (tx) => {
        await tx('members').update({ description: 'held' });
        await work?.();
      });
    await update(() => expect(update()).rejects.toMatchObject({ code: '55P03' }));
  });
});

describe('the time limit of some statements', () => {
  const timeLimit = async (tx: Tx) => (await statement(tx, 'show statement_timeout', []))[0];
  const asleep = (tx: Tx) => withTimeLimit(tx, 200, () => statement(tx, 'select pg_sleep(5)', []));
  const usual = { statement_timeout: '3s' };

  it('cancels them, and holds for no others, in a read and in a savepoint', async () => {
    const database = open({ limits: { statementMs: 3_000 } });
    for (const way of ['readInWorkspace', 'inWorkspace'] as const) {
      await database[way](workspace.workspaceId, async (tx) => {
        const within = await withTimeLimit(tx, 200, () => timeLimit(tx));
        expect([within, await timeLimit(tx)], way).toEqual([{ statement_timeout: '200ms' }, usual]);
        if (way === 'readInWorkspace') return;
        expect(await withSavepoint(tx, () => asleep(tx)).catch(isStatementCancelled)).toBe(true);
        expect(await timeLimit(tx)).toEqual(usual);
      });
    }
    const read = database.readInWorkspace(workspace.workspaceId, asleep);
    expect(await read.catch(isStatementCancelled)).toBe(true);
  });
});

describe('a workspace that uses its whole share of connections', () => {
  const ask = (database: Database) => database.inWorkspace(workspace.workspaceId, (tx) => tx.raw('select 1'));

  it('gets share_exceeded, but too_many_connections once a command has begun', async () => {
    const database = open({ share: 0.5, limits: { connectMs: 1_000 } });
    const command = database.withTerms({ isForCommand: true });
    const query = database.withTerms({});
    const next = database.withTerms({ isForCommand: true });
    await ask(command);
    await ask(query);
    await database.inWorkspace(workspace.workspaceId, async () => {
      await expect(ask(next)).rejects.toMatchObject({ code: 'share_exceeded' });
      await expect(ask(query)).rejects.toMatchObject({ code: 'share_exceeded' });
      await expect(ask(command)).rejects.toMatchObject({ code: '53300' });
    });
    await expect(ask(command)).resolves.toBeTruthy();
  });
});

describe('a transaction with a deadline', () => {
  it('is ended by PostgreSQL after its deadline', async () => {
    const database = open({ deadline: () => Date.now() + 300 });
    const before = Date.now();
    await expect(sleep(database, 9)).rejects.toMatchObject({ code: '57014' });
    expect(Date.now() - before).toBeLessThan(7_000);
  });

  it('executes nothing more and stores nothing after its deadline', async () => {
    const until = Date.now() + 1_000;
    const database = open({ deadline: () => until });
    const late = database.inWorkspace(workspace.workspaceId, async (tx) => {
      await tx('members').update({ description: 'too late' });
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, until - Date.now()) + 5));
    });
    await expect(late).rejects.toMatchObject({ code: '57014' });
    const kept = await workspace.within((tx) => tx('members').where({ description: 'too late' }));
    expect(kept).toEqual([]);
    await expect(open({}).ping()).resolves.toBe(true);
  });
});

describe('the database roles', () => {
  it.each([
    ['appUrl', '10s', '5s', '30s'],
    ['relayUrl', '5s', '5s', '10s'],
    ['migratorUrl', '1h', '1min', '10min'],
  ] as const)('of %s set the time limits of their connections', async (url, statement, lock, idle) => {
    const rows = await queryOnce(
      testDatabase[url],
      `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
         current_setting('idle_in_transaction_session_timeout') as idle`,
    );
    expect(rows).toEqual([{ statement, lock, idle }]);
  });
});
