import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../db/database.js';
import { entering } from '../../db/people/member-access.js';
import { prepared } from '../../db/statement.js';
import type { EnteredTx, IdentityTx } from '../../db/tx.js';
import { type DyingConnections, dyingConnections } from '../support/faults/dying-connections.js';
import { createWorkspace, type TestWorkspace } from '../support/workspace/factories.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

const suite = useWorkspace();
/** Has a single connection, so that each transaction gets the connection of the one before. */
let database: Database;
let other: TestWorkspace;
let connections: DyingConnections;

beforeAll(async () => {
  database = new Database({ url: suite.database.appUrl, poolSize: 1 });
  other = await createWorkspace(suite.database.database);
});
beforeEach(() => {
  connections = dyingConnections();
});
afterAll(async () => {
  await database.close();
});

/** Enters a workspace as the look-up of a credential does, or none for null. */
function enter(tx: IdentityTx, workspaceId: number | null): Promise<unknown> {
  return prepared(tx, `select ${entering('?::text', `''`)}, 'entered' as answer`, [workspaceId]).then(
    ([row]) => (row as { answer: string }).answer,
  );
}

async function seenIn(
  workspaceId: number | null,
  asks: (tx: EnteredTx) => Promise<unknown>,
): Promise<{ answer: unknown; seen: unknown; messages: number }> {
  let asking: Promise<unknown> | undefined;
  connections.dieAt(0, 'before');
  const answer = await database.readEntering(
    (tx) => enter(tx, workspaceId),
    (tx) => {
      asking = asks(tx);
      return asking;
    },
  );
  const messages = connections.sent;
  const seen = await asking?.catch((error: unknown) => error);
  return { answer, seen, messages };
}

const asking = (statement: string) => (tx: EnteredTx) => prepared<{ found: unknown }>(tx, statement, []);
const allMembers = async (tx: EnteredTx) => {
  const [row] = await asking('select json_agg(id order by id) as found from members')(tx);
  return row?.found;
};
const membersOf = ({ admin, member }: TestWorkspace) => [admin.memberId, member.memberId];

describe('a prefetch in database.readEntering', () => {
  it('is sent in one message with the statement that enters the workspace, and runs inside it', async () => {
    for (const workspace of [suite.workspace, other]) {
      const found = await seenIn(workspace.workspaceId, (tx) =>
        Promise.all([allMembers(tx), allMembers(tx)]),
      );
      const members = membersOf(workspace);
      expect(found).toEqual({ answer: 'entered', seen: [members, members], messages: 1 });
    }
  });

  it('reads nothing when no workspace is entered', async () => {
    expect(await seenIn(null, allMembers)).toEqual({ answer: 'entered', seen: null, messages: 1 });
  });

  it('does not leave its connection in the workspace', async () => {
    await seenIn(suite.workspace.workspaceId, allMembers);
    const tenant = database.readEntering(
      async (tx) => (await tx.raw('select current_workspace() as id')).rows,
    );
    expect(await tenant).toEqual([{ id: null }]);
  });

  it('is refused a later statement, which would run outside of the workspace', async () => {
    const { workspaceId } = suite.workspace;
    const { answer, seen } = await seenIn(workspaceId, async (tx) => [
      await allMembers(tx),
      await allMembers(tx),
    ]);
    expect(answer).toBe('entered');
    expect(seen).toEqual(new Error('the transaction has ended'));
  });

  it('is not made when it would be sent before the statement that enters', async () => {
    let asked = false;
    const entered = await database.readEntering(
      async (tx) => {
        await Promise.resolve();
        return enter(tx, suite.workspace.workspaceId);
      },
      async () => {
        asked = true;
      },
    );
    expect({ entered, asked }).toEqual({ entered: 'entered', asked: false });
  });

  it.each([
    ['fails', asking('select 1 / 0 as found'), { code: '22012' }],
    ['cannot be read', asking('select 9007199254740993 as found'), { name: 'RangeError' }],
    ['writes', asking(`update members set description = 'early' returning id as found`), { code: '25006' }],
    ['throws', async () => JSON.parse('no JSON'), { name: 'SyntaxError' }],
  ])('does not prevent entering the workspace when it %s', async (_what, asks, reason) => {
    const { answer, seen } = await seenIn(suite.workspace.workspaceId, asks);
    expect(answer).toBe('entered');
    expect(seen).toMatchObject(reason);
    expect((await seenIn(other.workspaceId, allMembers)).seen).toEqual(membersOf(other));
  });

  it('fails with the look-up when the connection is lost, and the connection is not reused', async () => {
    for (const when of ['before', 'after'] as const) {
      const { workspaceId } = suite.workspace;
      connections.dieAt(1, when);
      await expect(database.readEntering((tx) => enter(tx, workspaceId), allMembers)).rejects.toMatchObject({
        code: '08006',
      });
      expect((await seenIn(other.workspaceId, allMembers)).seen).toEqual(membersOf(other));
    }
  });

  it('is not made inside another transaction, which its failure would abort', async () => {
    let asked = false;
    const found = await database.atomically(null, (within) =>
      within.readEntering(
        (tx) => enter(tx, other.workspaceId),
        async () => {
          asked = true;
        },
      ),
    );
    expect(found).toBe('entered');
    expect(asked).toBe(false);
  });
});
