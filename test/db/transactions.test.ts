import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Database } from '../../db/database.js';
import { writeOutbox, writeOutboxOfNoWorkspace } from '../../db/outbox.js';
import { findMember } from '../../db/people/members.js';
import { statement } from '../../db/statement.js';
import type { Tx } from '../../db/tx.js';
import { queryOnce } from '../support/db/connect.js';
import { createWorkspace } from '../support/workspace/factories.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

const { database: testDatabase, workspace } = useWorkspace();

const visible = () => ({
  sql: 'select count(*) as count from members where id = ?',
  bindings: [workspace.member.memberId],
});

describe('database.readInWorkspace', () => {
  it('rejects a write', async () => {
    const { database, workspaceId } = workspace;
    await expect(
      database.readInWorkspace(workspaceId, (tx) => tx.raw("update members set name = 'Other'")),
    ).rejects.toMatchObject({ code: '25006' });
  });

  it('sees its own workspace only, also with many transactions at once', async () => {
    const { database, member } = workspace;
    const other = await createWorkspace(database);
    const looks = Array.from({ length: 50 }, (_, index) =>
      database.readInWorkspace(index % 2 === 0 ? workspace.workspaceId : other.workspaceId, (tx) =>
        findMember(tx, member.memberId),
      ),
    );

    const found = (await Promise.all(looks)).map((row) => row?.id);

    expect(found).toEqual(looks.map((_, index) => (index % 2 === 0 ? member.memberId : undefined)));
  });

  it('leaves no setting on its connection', async () => {
    const { database, workspaceId } = workspace;
    for (let at = 0; at < 20; at += 1) await database.readInWorkspace(workspaceId, async () => undefined);

    const { sql, bindings } = visible();
    const counts = await Promise.all(
      Array.from({ length: 20 }, () =>
        database.inWorkspace(workspaceId, async (tx) => {
          const { rows } = await tx.raw(
            `select current_setting('transaction_read_only') as mode, (${sql}) as count`,
            bindings,
          );
          return rows[0];
        }),
      ),
    );
    expect(counts).toEqual(counts.map(() => ({ mode: 'off', count: 1 })));
  });

  it('returns its connection to the pool when it fails', async () => {
    const { database, workspaceId } = workspace;
    const failing = Array.from({ length: 30 }, () =>
      database.readInWorkspace(workspaceId, (tx) => tx.raw('select 1 / 0')),
    );
    expect((await Promise.allSettled(failing)).every(({ status }) => status === 'rejected')).toBe(true);

    await expect(database.readInWorkspace(workspaceId, async () => 'good')).resolves.toBe('good');
  });
});

describe('database.inWorkspace', () => {
  it('stores nothing when one of several statements sent together fails', async () => {
    const { database, workspaceId, member } = workspace;
    await expect(
      database.inWorkspace(workspaceId, (tx) =>
        Promise.all([
          tx.raw("update members set name = 'Changed' where id = ?", [member.memberId]),
          tx.raw('select 1 / 0'),
          tx.raw("update members set description = 'Changed' where id = ?", [member.memberId]),
        ]),
      ),
    ).rejects.toMatchObject({ code: '22012' });

    expect(await memberNow()).toMatchObject({ name: member.row.name, description: member.row.description });
  });

  it('commits before it resolves', async () => {
    const { database, workspaceId, member } = workspace;
    await database.inWorkspace(workspaceId, (tx) =>
      tx.raw("update members set description = 'Kept' where id = ?", [member.memberId]),
    );
    expect((await memberNow())?.description).toBe('Kept');
  });
});

/** The same database on connections of its own, which notes when the relay is woken. */
let alone: Database;
const onOutboxWritten = vi.fn();

beforeAll(() => {
  alone = new Database({ url: testDatabase.appUrl, onOutboxWritten });
});
afterAll(() => alone.close());

const rename = (tx: Tx, name: string) =>
  statement(tx, 'update members set name = ? where id = ?', [name, workspace.member.memberId]);
const memberNow = () => workspace.within((tx) => findMember(tx, workspace.member.memberId));
const nameNow = async () => (await memberNow())?.name;

describe('database.inOneStatement', () => {
  it('commits the statement', async () => {
    await alone.inOneStatement(workspace.workspaceId, (tx) => rename(tx, 'Renamed Once'));

    expect(await nameNow()).toBe('Renamed Once');
  });

  it('rolls a failed statement back and leaves its connection usable', async () => {
    const failing = alone.inOneStatement(workspace.workspaceId, (tx) =>
      statement(tx, 'update members set name = (1 / (id - id))::text', []),
    );

    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await nameNow()).toBe('Renamed Once');
  });

  it('sees only the rows of its workspace', async () => {
    const counted = await alone.inOneStatement(workspace.workspaceId + 1_000, (tx) =>
      statement<{ count: number }>(tx, 'select count(*)::int as count from members', []),
    );

    expect(counted).toEqual([{ count: 0 }]);
  });

  it('rejects a second statement', async () => {
    const two = alone.inOneStatement(workspace.workspaceId, async (tx) => {
      await rename(tx, 'First');
      await rename(tx, 'Second');
    });

    await expect(two).rejects.toThrow('the transaction has ended');
    expect(await nameNow()).toBe('First');
  });

  it('wakes the relay', async () => {
    const input = { chatId: 1, memberId: 1, channel: 'phone-sms' };
    const entry = { runType: 'answerChat', subject: randomUUID(), action: 'poke', input } as const;
    onOutboxWritten.mockClear();

    await alone.inOneStatement(workspace.workspaceId, (tx) => writeOutbox(tx, entry));

    expect(onOutboxWritten).toHaveBeenCalledTimes(1);
  });

  it('is part of the transaction around it', async () => {
    const taken = alone.atomically(workspace.workspaceId, async (within) => {
      await within.inOneStatement(workspace.workspaceId, (tx) => rename(tx, 'Taken Back'));
      throw new Error('changed my mind');
    });

    await expect(taken).rejects.toThrow('changed my mind');
    expect(await nameNow()).toBe('First');
  });
});

const loginEntry = () => {
  const input = { loginCodeUuid: randomUUID(), channel: 'email' };
  return { runType: 'sendLoginCode', subject: input.loginCodeUuid, action: 'start', input } as const;
};

it('writeOutboxOfNoWorkspace wakes the relay, which can read the entry', async () => {
  const written = loginEntry();
  onOutboxWritten.mockClear();

  await alone.inIdentity((tx) => writeOutboxOfNoWorkspace(tx, written));

  expect(onOutboxWritten).toHaveBeenCalledTimes(1);
  const seen = 'select workspace_id from outbox where subject = $1';
  expect(await queryOnce(testDatabase.relayUrl, seen, [written.subject])).toEqual([{ workspace_id: null }]);
});

it('an outbox entry without a workspace is hidden from workspaces, and entries of a workspace cannot be written outside it', async () => {
  const { database, workspaceId } = workspace;
  await database.inIdentity((tx) => writeOutboxOfNoWorkspace(tx, loginEntry()));

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
  expect(await workspace.database.inIdentity((tx) => tx('members'))).toEqual([]);
});
