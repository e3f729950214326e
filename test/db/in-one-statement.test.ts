import { beforeAll, describe, expect, it } from 'vitest';
import { Database, type Tx } from '../../db/database.js';
import { writeOutbox } from '../../db/outbox.js';
import { statement } from '../../db/statement.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

const setup = useWorkspace();
let database: Database;
let wakes = 0;

beforeAll(() => {
  const url = setup.database.appUrl;
  database = new Database({ url, onOutboxWritten: () => (wakes += 1) });
  return () => database.close();
});

const workspaceId = () => setup.workspace.workspaceId;
const rename = (tx: Tx, name: string) =>
  statement(tx, 'update members set name = ? where id = ?', [name, setup.workspace.member.memberId]);

async function nameNow(): Promise<string> {
  return database.readInWorkspace(workspaceId(), async (tx) => {
    const { rows } = await tx.raw('select name from members where id = ?', [setup.workspace.member.memberId]);
    return rows[0].name;
  });
}

describe('database.inOneStatement', () => {
  it('commits the statement', async () => {
    await database.inOneStatement(workspaceId(), (tx) => rename(tx, 'Renamed Once'));

    expect(await nameNow()).toBe('Renamed Once');
  });

  it('rolls a failed statement back and leaves its connection usable', async () => {
    const failing = database.inOneStatement(workspaceId(), (tx) =>
      statement(tx, 'update members set name = (1 / (id - id))::text', []),
    );

    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await nameNow()).toBe('Renamed Once');
  });

  it('sees only the rows of its workspace', async () => {
    const counted = await database.inOneStatement(workspaceId() + 1_000, (tx) =>
      statement<{ count: number }>(tx, 'select count(*)::int as count from members', []),
    );

    expect(counted).toEqual([{ count: 0 }]);
  });

  it('rejects a second statement', async () => {
    const two = database.inOneStatement(workspaceId(), async (tx) => {
      await rename(tx, 'First');
      await rename(tx, 'Second');
    });

    await expect(two).rejects.toThrow('the transaction has ended');
    expect(await nameNow()).toBe('First');
  });

  it('wakes the relay', async () => {
    const input = { chatId: 1, memberId: 1, channel: 'phone-sms' };
    const entry = { runType: 'answerChat', subject: crypto.randomUUID(), action: 'poke', input } as const;
    const before = wakes;

    await database.inOneStatement(workspaceId(), (tx) => writeOutbox(tx, entry));

    expect(wakes).toBe(before + 1);
  });

  it('is part of the transaction around it', async () => {
    const taken = database.atomically(workspaceId(), async (within) => {
      await within.inOneStatement(workspaceId(), (tx) => rename(tx, 'Taken Back'));
      throw new Error('changed my mind');
    });

    await expect(taken).rejects.toThrow('changed my mind');
    expect(await nameNow()).toBe('First');
  });
});
