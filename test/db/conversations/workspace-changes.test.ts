import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { patchChat } from '../../../db/conversations/chats.js';
import {
  type Seen,
  seenWhollyBefore,
  selectWorkspaceChanges,
} from '../../../db/conversations/workspace-changes.js';
import { connect } from '../../support/db/connect.js';
import { type Explained, explaining } from '../../support/db/explained.js';
import { fillTables } from '../../support/db/fill-tables.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

/** A million in CI. */
const total = Number(process.env.TEST_ROWS ?? 50_000);
const firstId = 1_000_000;
const stage = useWorkspace();
let superuser: pg.Client;

beforeAll(async () => {
  superuser = await connect(stage.database.superuserUrl);
  const { workspaceId, member } = stage.workspace;
  await fillTables(superuser, ['chats', 'phone_calls'], () =>
    superuser.query(
      // Transactions before those of this database: there are not many yet.
      `insert into chats (id, workspace_id, channel, chat_type, member_id, changed_in, changed_group)
       overriding system value
       select $1 + i, $2, 'web-chat', 'simple', $3, i - $4, (i - $4) >> 12 from generate_series(1, $4::bigint) i`,
      [firstId, workspaceId, member.memberId, total],
    ),
  );
}, 600_000);
afterAll(() => superuser.end());

const everything: Seen = { before: Number.MAX_SAFE_INTEGER, except: [] };

async function select(seen: Seen) {
  const { workspaceId } = stage.workspace;
  let found: Awaited<ReturnType<typeof selectWorkspaceChanges>> | undefined;
  const plans: Explained[] = await explaining(
    stage.database.appUrl,
    workspaceId,
    async (db) => {
      found = await db.readInWorkspace(workspaceId, (tx) => selectWorkspaceChanges(tx, seen, 1_001));
    },
    /pg_current_snapshot/,
  );
  if (found === undefined) throw new Error('nothing was read');
  return { ...found, ids: found.chats.map(({ chatId }) => chatId).sort(), rows: plans[0]?.rows ?? 0 };
}

let changes = 0;
function change(id: number) {
  changes += 1;
  return stage.workspace.within((tx) => patchChat(tx, id, { title: `Change ${changes}` }));
}

it.each([false, true])(
  'changes are found among many chats by what changed, analyzed: %s',
  async (isAnalyzed) => {
    if (isAnalyzed) await superuser.query('analyze chats');
    const { seen } = await select(everything);
    const ids = [1, 2, 3].map((n) => firstId + (n * total) / 4);
    for (const id of ids) await change(id);
    const found = await select(seen);

    expect(found.ids).toEqual(ids);
    expect(found.rows).toBeLessThan(100);
    const again = await select(found.seen);
    expect(again.ids).toEqual([]);
    expect(again.rows).toBeLessThan(100);
  },
);

it('a transaction that is committed after later ones is found once, and again only by who goes on before it', async () => {
  const [late, soon] = [firstId + 10, firstId + 20];
  const { seen } = await select(everything);
  const writer = await connect(stage.database.superuserUrl);
  await writer.query('begin');
  await writer.query(`update chats set title = 'late' where id = $1`, [late]);
  await change(soon);
  const first = await select(seen);
  await writer.query('commit');
  await writer.end();
  const second = await select(first.seen);
  const third = await select(second.seen);
  const reconnected = await select({ before: seenWhollyBefore(first.seen), except: [] });

  expect([first.ids, second.ids, third.ids]).toEqual([[soon], [late], []]);
  // Transactions of other databases may have begun earlier still.
  expect(reconnected.ids).toEqual(expect.arrayContaining([late, soon]));
});

it('a transaction that is rolled back is none', async () => {
  const { seen } = await select(everything);
  await superuser.query('begin');
  await superuser.query(`update chats set title = 'never' where id = $1`, [firstId + 30]);
  await superuser.query('rollback');

  expect((await select(seen)).ids).toEqual([]);
});

it('numbers that were restored from another database are not taken for news, and not read', async () => {
  const { seen } = await select(everything);
  await superuser.query('set session_replication_role = replica');
  await superuser.query(
    `update chats set changed_in = 1e12, changed_group = 1e12::bigint >> 12, queue_changed_in = 1e12
     where id between $1 and $2`,
    [firstId, firstId + 5_000],
  );
  await superuser.query(
    `insert into phone_calls (workspace_id, chat_id, phone_number_id, remote_number, inbound, begun_by, status, finished_at, changed_in)
     values ($1, $2, 1, '+12025550142', false, 'api', 'completed', now(), 1e12)`,
    [stage.workspace.workspaceId, firstId + 40],
  );
  await superuser.query('reset session_replication_role');
  await change(firstId + 40);
  const found = await select(seen);

  expect(found.chats).toMatchObject([{ chatId: firstId + 40, queueChanged: false }]);
  expect(found.calls).toEqual([]);
  expect(found.rows).toBeLessThan(100);
});
