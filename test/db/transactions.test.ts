import { describe, expect, it } from 'vitest';
import { findMember } from '../../db/people/members.js';
import { createWorkspace } from '../support/workspace/factories.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();

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

    const row = await database.readInWorkspace(workspaceId, (tx) => findMember(tx, member.memberId));
    expect(row).toMatchObject({ name: member.row.name, description: member.row.description });
  });

  it('commits before it resolves', async () => {
    const { database, workspaceId, member } = workspace;
    await database.inWorkspace(workspaceId, (tx) =>
      tx.raw("update members set description = 'Kept' where id = ?", [member.memberId]),
    );
    const found = await database.readInWorkspace(workspaceId, (tx) => findMember(tx, member.memberId));
    expect(found?.description).toBe('Kept');
  });
});
