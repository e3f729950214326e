import { describe, expect, it, vi } from 'vitest';
import { afterCommit } from '../../db/after-commit.js';
import { withSavepoint } from '../../db/savepoint.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();

describe('what is told after a commit', () => {
  it('is told once the transaction has committed, in order', async () => {
    const { database, workspaceId } = workspace;
    const told: string[] = [];

    await database.inWorkspace(workspaceId, async (tx) => {
      afterCommit(tx, () => told.push('first'));
      afterCommit(tx, () => told.push('second'));
      expect(told).toEqual([]);
    });

    expect(told).toEqual(['first', 'second']);
  });

  it('is not told of a transaction that throws, or whose commit fails', async () => {
    const { database, workspaceId } = workspace;
    const told: string[] = [];
    const failing = database.inWorkspace(workspaceId, async (tx) => {
      afterCommit(tx, () => told.push('thrown'));
      throw new Error('it ends here');
    });
    await expect(failing).rejects.toThrow('it ends here');

    const aborted = database.inWorkspace(workspaceId, async (tx) => {
      afterCommit(tx, () => told.push('aborted'));
      await tx.raw('select 1 / 0').catch(() => {});
    });
    await expect(aborted).rejects.toThrow();

    expect(told).toEqual([]);
  });

  it('waits for the outermost transaction, and is dropped with its savepoint', async () => {
    const { database, workspaceId } = workspace;
    const told: string[] = [];

    await database.atomically(workspaceId, async (within) => {
      await within.inWorkspace(workspaceId, async (tx) => afterCommit(tx, () => told.push('kept')));
      const dropped = within.inWorkspace(workspaceId, async (tx) => {
        afterCommit(tx, () => told.push('dropped'));
        throw new Error('this part ends here');
      });
      await expect(dropped).rejects.toThrow('this part ends here');
      expect(told).toEqual([]);
    });

    expect(told).toEqual(['kept']);
  });

  it('is never told of a transaction that is rolled back in the end', async () => {
    const { database, workspaceId } = workspace;
    const told: string[] = [];

    await database.rolledBack(workspaceId, (within) =>
      within.inWorkspace(workspaceId, async (tx) => afterCommit(tx, () => told.push('simulated'))),
    );

    expect(told).toEqual([]);
  });

  it('is dropped with a savepoint of the same transaction', async () => {
    const { database, workspaceId } = workspace;
    const told: string[] = [];

    await database.inWorkspace(workspaceId, async (tx) => {
      afterCommit(tx, () => told.push('before'));
      const undone = withSavepoint(tx, async () => {
        afterCommit(tx, () => told.push('undone'));
        throw new Error('this part ends here');
      });
      await expect(undone).rejects.toThrow('this part ends here');
      await withSavepoint(tx, async () => afterCommit(tx, () => told.push('after')));
    });

    expect(told).toEqual(['before', 'after']);
  });

  it('is told although another report throws, and does not make the transaction fail', async () => {
    const { database, workspaceId } = workspace;
    const told: string[] = [];
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined);

    const done = database.inWorkspace(workspaceId, async (tx) => {
      afterCommit(tx, () => {
        throw new Error('the log is full');
      });
      afterCommit(tx, () => told.push('second'));
      return 'done';
    });

    expect(await done).toBe('done');
    expect(told).toEqual(['second']);
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ message: 'the log is full' }));
  });
});
