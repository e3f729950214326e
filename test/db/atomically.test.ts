import { describe, expect, it } from 'vitest';
import { Database } from '../../db/database.js';
import { writeOutbox } from '../../db/outbox.js';
import { insertMemberRole } from '../../db/people/member-roles.js';
import { violatedConstraint } from '../../db/postgres-errors.js';
import type { Tx } from '../../db/tx.js';
import { createWorkspace, randomTag } from '../support/workspace/factories.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

const suite = useWorkspace();
const role = (name: string) => ({ name, permissions: [], useAdmin: false, manageWorkspace: false });
const addRole = (tx: Tx, name: string) => insertMemberRole(tx, role(name), new Date());
const input = { chatId: 1, memberId: 1, channel: 'phone-sms' };
const entry = (subject: string) => ({ runType: 'answerChat', subject, action: 'poke', input }) as const;

async function roleNames(workspaceId = suite.workspace.workspaceId): Promise<string[]> {
  return suite.workspace.database.inWorkspace(workspaceId, (tx) => tx('member_roles').pluck('name'));
}

async function tenant(tx: Pick<Tx, 'raw'>): Promise<number | null> {
  return (await tx.raw('select current_workspace() as tenant')).rows[0].tenant;
}

describe('commands inside database.atomically', () => {
  it('are committed together', async () => {
    const { database, workspaceId } = suite.workspace;
    const [one, other] = [randomTag(), randomTag()];
    await database.atomically(workspaceId, async (within) => {
      await within.inWorkspace(workspaceId, (tx) => addRole(tx, one));
      await within.inWorkspace(workspaceId, (tx) => addRole(tx, other));
      expect(await roleNames()).not.toContain(one);
    });
    expect(await roleNames()).toEqual(expect.arrayContaining([one, other]));
  });

  it('leave nothing when one of them throws, including changes in the identity schema', async () => {
    const { database, workspaceId } = suite.workspace;
    const name = randomTag();
    const email = `${name}@example.com`;
    await expect(
      database.atomically(workspaceId, async (within) => {
        await within.inWorkspace(workspaceId, (tx) => addRole(tx, name));
        await within.identity.accounts.create({ email });
        throw new Error('it ends here');
      }),
    ).rejects.toThrow('it ends here');
    expect(await roleNames()).not.toContain(name);
    expect(await database.identity.accounts.findByEmail(email)).toBeUndefined();
  });

  it('continue after a unique violation that a command caught', async () => {
    const { database, workspaceId } = suite.workspace;
    const [before, after] = [randomTag(), randomTag()];
    await database.atomically(workspaceId, async (within) => {
      await within.inWorkspace(workspaceId, (tx) => addRole(tx, before));
      const doubled = within.inWorkspace(workspaceId, (tx) => addRole(tx, before));
      const violated = await doubled.then(() => 'nothing', violatedConstraint);
      expect(violated).toBe('member_roles_workspace_id_name_key');
      await within.inWorkspace(workspaceId, (tx) => addRole(tx, after));
    });
    const kept = (await roleNames()).filter((name) => [before, after].includes(name));
    expect(kept.sort()).toEqual([before, after].sort());
  });

  it('leave nothing of a nested command that fails after it caught the failure of an inner one', async () => {
    const { database, workspaceId } = suite.workspace;
    const [undone, kept] = [randomTag(), randomTag()];
    await database.atomically(workspaceId, async (within) => {
      const outer = within.atomically(workspaceId, async (deeper, tx) => {
        await addRole(tx as Tx, undone);
        const inner = deeper.inWorkspace(workspaceId, (tx) => addRole(tx, undone));
        await expect(inner).rejects.toThrow();
        throw new Error('it ends here');
      });
      await expect(outer).rejects.toThrow('it ends here');
      await within.inWorkspace(workspaceId, (tx) => addRole(tx, kept));
    });
    expect(await roleNames()).toContain(kept);
    expect(await roleNames()).not.toContain(undone);
  });

  it('wake the relay once, after the commit, and not at all after a rollback', async () => {
    let woken = 0;
    const { workspaceId, workspaceUuid } = suite.workspace;
    const database = new Database({ url: suite.database.appUrl, onOutboxWritten: () => (woken += 1) });
    const write = (within: Database) =>
      within.inWorkspace(workspaceId, (tx) => writeOutbox(tx, entry(workspaceUuid)));
    await database.atomically(workspaceId, async (within) => {
      await write(within);
      await write(within);
      expect(woken).toBe(0);
    });
    expect(woken).toBe(1);
    const failing = database.atomically(workspaceId, async (within) => {
      await write(within);
      throw new Error('too late');
    });
    await expect(failing).rejects.toThrow('too late');
    expect(woken).toBe(1);
    await database.close();
  });

  it('run one after the other on their shared connection, even when started at once', async () => {
    const { database, workspaceId } = suite.workspace;
    const names = Array.from({ length: 5 }, () => randomTag());
    await database.atomically(workspaceId, (within) =>
      Promise.all(names.map((name) => within.inWorkspace(workspaceId, (tx) => addRole(tx, name)))),
    );
    expect(await roleNames()).toEqual(expect.arrayContaining(names));
  });
});

describe('current_workspace() inside database.atomically', () => {
  it('is that of the transaction, inside and around its savepoints', async () => {
    const { workspaceId } = suite.workspace;
    await suite.workspace.database.atomically(workspaceId, async (within, outer) => {
      expect(await tenant(outer)).toBe(workspaceId);
      expect(await within.inWorkspace(workspaceId, tenant)).toBe(workspaceId);
      expect(await tenant(outer)).toBe(workspaceId);
    });
  });

  it('is set by a savepoint in a transaction without a workspace, and unset after it', async () => {
    const { workspaceId } = suite.workspace;
    await suite.workspace.database.atomically(null, async (within, outer) => {
      expect(await tenant(outer)).toBeNull();
      expect(await within.inWorkspace(workspaceId, tenant)).toBe(workspaceId);
      expect(await tenant(outer)).toBeNull();
      const failing = within.inWorkspace(workspaceId, async () => {
        throw new Error('in the savepoint');
      });
      await expect(failing).rejects.toThrow('in the savepoint');
      expect(await tenant(outer)).toBeNull();
    });
  });

  it('returns to that of the transaction after a savepoint in another workspace', async () => {
    const other = await createWorkspace(suite.workspace.database);
    const { workspaceId } = suite.workspace;
    const name = randomTag();
    await suite.workspace.database.atomically(workspaceId, async (within, outer) => {
      await within.inWorkspace(other.workspaceId, (tx) => addRole(tx, name));
      expect(await tenant(outer)).toBe(workspaceId);
    });
    expect(await roleNames(other.workspaceId)).toContain(name);
    expect(await roleNames()).not.toContain(name);
  });
});
