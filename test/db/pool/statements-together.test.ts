import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../db/database.js';
import { prepared } from '../../../db/statement.js';
import type { Tx } from '../../../db/tx.js';
import { useConnection } from '../../support/db/use-database.js';
import { createWorkspace, type TestWorkspace } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const observe = useConnection(() => suite.database.superuserUrl);
/** Has a single connection, so that each transaction gets the connection of the one before. */
let database: Database;
let other: TestWorkspace;

beforeAll(async () => {
  database = new Database({ url: suite.database.appUrl, poolSize: 1 });
  other = await createWorkspace(suite.database.database);
});
afterAll(() => database.close());

const workspaceId = () => suite.workspace.workspaceId;
const tenant = async (tx: Pick<Tx, 'raw'>): Promise<number | null> =>
  (await tx.raw('select current_workspace() as tenant')).rows[0].tenant;
const backend = async (tx: Tx): Promise<number> =>
  (await tx.raw('select pg_backend_pid() as pid')).rows[0].pid;
/** Resolves once the backend has ended. */
const kill = (pid: number) => observe('select pg_terminate_backend($1, 5000)', [pid]);

describe('statements that are sent together', () => {
  it('get their own rows each, prepared or not', async () => {
    const ask = (tx: Tx) =>
      Promise.all([
        prepared(tx, 'select ?::int as one', [1]),
        tx.raw('select ? as two', ['two']),
        prepared(tx, 'select ?::int as one', [3]),
        tx('members').where({ id: suite.workspace.member.memberId }).pluck('id'),
      ]);
    const expected = [
      [{ one: 1 }],
      expect.objectContaining({ rows: [{ two: 'two' }] }),
      [{ one: 3 }],
      [suite.workspace.member.memberId],
    ];
    expect(await database.readInWorkspace(workspaceId(), ask)).toEqual(expected);
    expect(await database.inWorkspace(workspaceId(), ask)).toEqual(expected);
  });

  it('fail from the failing one on, with its error', async () => {
    const three = (tx: Tx) =>
      Promise.allSettled([tx.raw('select 1'), tx.raw('select 1 / 0'), tx.raw('select 2')]);
    const failed = { status: 'rejected', reason: { code: '22012' } };

    let settled: unknown;
    const writing = database.inWorkspace(workspaceId(), async (tx) => {
      settled = await three(tx);
    });
    await expect(writing).rejects.toMatchObject({ code: '25P02' });
    expect(settled).toMatchObject([{ status: 'fulfilled' }, failed, failed]);
  });

  it('fail altogether when they are a transaction of their own', async () => {
    const settled = await database.readInWorkspace(workspaceId(), (tx) =>
      Promise.allSettled([tx.raw('select 1'), tx.raw('select 1 / 0'), tx.raw('select 2')]),
    );
    const failed = { status: 'rejected', reason: { code: '22012' } };
    expect(settled).toMatchObject([failed, failed, failed]);
  });

  it('do not prevent the rollback of a savepoint', async () => {
    const inWorkspace = workspaceId();
    const after = await database.atomically(inWorkspace, async (within) => {
      const inner = within.inWorkspace(inWorkspace, async (tx) => {
        const goesOn = async () => {
          for (let asked = 0; asked < 3; asked += 1) await tx.raw('select 1');
        };
        await Promise.all([goesOn(), tx.raw('select 1 / 0')]);
      });
      await expect(inner).rejects.toMatchObject({ code: '22012' });
      return within.inWorkspace(inWorkspace, tenant);
    });
    expect(after).toBe(inWorkspace);
  });

  it('leave a prepared statement usable that failed, or was skipped, when it was parsed', async () => {
    const ask = (divisor: number) =>
      database.readInWorkspace(workspaceId(), (tx) =>
        Promise.all([
          prepared(tx, 'select 6 / ?::int as quotient', [divisor]),
          prepared(tx, 'select ?::text as passed', ['by']),
        ]),
      );
    await expect(ask(0)).rejects.toMatchObject({ code: '22012' });
    expect(await ask(2)).toEqual([[{ quotient: 3 }], [{ passed: 'by' }]]);
  });

  it('fail when a value cannot be read, and leave the connection usable', async () => {
    const ask = (id: string) => database.readInWorkspace(workspaceId(), (tx) => tx.raw(`select ${id} as id`));
    await expect(ask('9007199254740993')).rejects.toThrow('beyond 2^53');
    expect((await ask('12::bigint')).rows).toEqual([{ id: 12 }]);
  });
});

describe('isolation of workspaces on a shared connection', () => {
  it('holds for a statement after the end of the transaction', async () => {
    let late: Tx | undefined;
    for (const run of ['inWorkspace', 'readInWorkspace'] as const) {
      await database[run](workspaceId(), async (tx) => {
        late = tx;
      });
      await expect(late?.raw('select 1')).rejects.toThrow('the transaction has ended');
    }
  });

  it('holds for a statement that was not awaited', async () => {
    let unawaited: Promise<unknown> = Promise.resolve();
    await database.readInWorkspace(workspaceId(), async (tx) => {
      unawaited = prepared(tx, 'select current_workspace()', []).catch((error: Error) => error.message);
    });
    const next = database.inWorkspace(other.workspaceId, async (tx) => [await tenant(tx), await tenant(tx)]);
    expect(await next).toEqual([other.workspaceId, other.workspaceId]);
    expect(await unawaited).toContain('the transaction has ended');
  });

  it('holds after a transaction that ignored a failed statement', async () => {
    const caught = database.inWorkspace(workspaceId(), async (tx) => {
      await tx.raw('select 1 / 0').catch(() => {});
    });
    await expect(caught).rejects.toMatchObject({ code: '25P02' });
    expect(await database.inWorkspace(other.workspaceId, tenant)).toBe(other.workspaceId);
  });

  it('holds after a transaction that one of its statements committed', async () => {
    const name = 'Never stored';
    const broken = database.inWorkspace(workspaceId(), async (tx) => {
      await tx.raw('commit');
      await tx('members').where({ id: suite.workspace.member.memberId }).update({ name });
    });
    await expect(broken).rejects.toThrow('the transaction has ended');
    expect(await database.inWorkspace(other.workspaceId, tenant)).toBe(other.workspaceId);
    const { rows } = await observe('select 1 from members where name = $1', [name]);
    expect(rows).toEqual([]);
  });

  it('holds when the connection is lost before the first statement or in the middle', async () => {
    const pid = await database.readInWorkspace(workspaceId(), backend);
    await kill(pid);
    // Whether the pool has noticed the loss by now depends on the operating system.
    const outcome = await database.inWorkspace(workspaceId(), tenant).catch((error: Error) => error);
    if (outcome instanceof Error)
      expect(outcome.message).toMatch(/terminat|connection to the database was lost/);
    else expect(outcome).toBe(workspaceId());

    const middle = database.inWorkspace(workspaceId(), async (tx) => {
      await kill(await backend(tx));
      return tenant(tx);
    });
    await expect(middle).rejects.toThrow(/terminat|connection to the database was lost/);
    expect(await database.inWorkspace(other.workspaceId, tenant)).toBe(other.workspaceId);
    expect(await database.readEntering(tenant)).toBeNull();
  });
});
