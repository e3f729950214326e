import { beforeAll, describe, expect, it } from 'vitest';
import { Database, type Tx } from '../../db/database.js';
import { leaveToCommit } from '../../db/leave-to-commit.js';
import { writeOutbox } from '../../db/outbox.js';
import { statement } from '../../db/statement.js';
import { useWorkspace } from '../support/use-workspace.js';

const setup = useWorkspace();
let database: Database;
let wakes = 0;

beforeAll(() => {
  const url = setup.database.appUrl;
  database = new Database({ url, onOutboxWritten: () => (wakes += 1) });
  return () => database.close();
});

const rename = (tx: Tx, name: string) =>
  statement(tx, 'update members set name = ? where id = ?', [name, setup.workspace.member.memberId]);
const failing = (tx: Tx) => statement(tx, 'select 1 / 0', []);

async function nameNow(): Promise<string> {
  return database.readInWorkspace(setup.workspace.workspaceId, async (tx) => {
    const { rows } = await tx.raw('select name from members where id = ?', [setup.workspace.member.memberId]);
    return rows[0].name;
  });
}

describe('a write that is left to the commit', () => {
  it('is stored, and the transaction ends only once it is', async () => {
    const { workspaceId } = setup.workspace;
    const value = await database.inWorkspace(workspaceId, async (tx) => {
      leaveToCommit(tx, rename(tx, 'Left Once'));
      return 'value';
    });
    expect(value).toBe('value');
    expect(await nameNow()).toBe('Left Once');
  });

  it('fails the transaction with its own error, and nothing is stored', async () => {
    const { workspaceId } = setup.workspace;
    const before = await nameNow();
    const failed = database.inWorkspace(workspaceId, async (tx) => {
      await rename(tx, 'Never Stored');
      leaveToCommit(tx, failing(tx));
    });
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    expect(await nameNow()).toBe(before);
  });

  it('fails the savepoint it was left in, and what is around it goes on', async () => {
    const { workspaceId } = setup.workspace;
    await database.atomically(workspaceId, async (within) => {
      await within.inWorkspace(workspaceId, (tx) => rename(tx, 'Around'));
      const inner = within.inWorkspace(workspaceId, async (tx) => {
        leaveToCommit(tx, Promise.all([rename(tx, 'Inside'), failing(tx)]));
      });
      await expect(inner).rejects.toMatchObject({ code: '22012' });
    });
    expect(await nameNow()).toBe('Around');
  });

  it('wakes the relay where it wrote an entry of the outbox', async () => {
    const { workspaceId } = setup.workspace;
    const before = wakes;
    await database.inWorkspace(workspaceId, async (tx) => {
      const subject = '00000000-0000-4000-8000-000000000000';
      const entry = { runType: 'deliverMessages', subject, action: 'poke', input: {} } as const;
      leaveToCommit(tx, writeOutbox(tx, entry));
    });
    expect(wakes).toBe(before + 1);
  });

  it('is refused where a statement comes only after the transaction has ended', async () => {
    const { workspaceId } = setup.workspace;
    const before = await nameNow();
    const late = database.inWorkspace(workspaceId, async (tx) => {
      const twoSteps = async () => {
        await statement(tx, 'select 1', []);
        await rename(tx, 'Too Late');
      };
      leaveToCommit(tx, twoSteps());
    });
    await expect(late).rejects.toThrow('the transaction has ended');
    expect(await nameNow()).toBe(before);
  });
});
