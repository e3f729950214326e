import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  beforeChats,
  lockOldChat,
  type OldChat,
  selectOldChats,
} from '../../../../db/conversations/forget-chats.js';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { createChat } from '../../../../domain/conversations/chats/create-chat.js';
import { postMessage } from '../../../../domain/conversations/chats/post-message.js';
import { forgetOldChats } from '../../../../domain/conversations/retention/forget-old-chats.js';
import { ageChat } from '../../../support/chats/age-chat.js';
import { addFollowUp } from '../../../support/chats/follow-ups.js';
import { explaining } from '../../../support/db/explained.js';
import { whenWaitedFor } from '../../../support/db/locks.js';
import { useConnection } from '../../../support/db/use-database.js';
import { addFile } from '../../../support/files/add-file.js';
import { createMemoryStore } from '../../../support/files/memory-store.js';
import { allBatches, allDeleted } from '../../../support/lib/all-batches.js';
import { days, MovedClock } from '../../../support/lib/moved-clock.js';
import { addTypeWithFiles, holdFiles } from '../../../support/records/holding-records.js';
import { conversationTasks } from '../../../support/workspace/definitions.js';
import { addAssignment, createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace({ storesEvents: true });
const query = useConnection(() => suite.database.superuserUrl);
const clock = new MovedClock();
const store = createMemoryStore();
afterAll(() => store.close());
const batch = (after?: OldChat, place: TestWorkspace = suite.workspace) =>
  forgetOldChats({ db: suite.database.database, clock }, place.workspaceId, 30, after);
const forget = (place?: TestWorkspace) => allDeleted<OldChat>((after) => batch(after, place));
const ago = (count: number) => new Date(clock.now().getTime() - days(count));

let assistantMemberId: number;
beforeAll(async () => {
  const assistant = await createAssistant(suite.workspace.context(), {
    name: 'A',
    instructions: 'Be brief.',
  });
  assistantMemberId = assistant.memberId;
});

/** A chat with a message of the member, so many days old. */
async function addChat(age: number, { hasMessage = true } = {}): Promise<number> {
  const context = suite.workspace.context(suite.workspace.member, clock);
  const { id } = await createChat(context, { channel: 'web-chat', assistantMemberId, title: 'zqtitle' });
  if (hasMessage) await postMessage(context, { chatId: id, content: 'zqsaid' });
  await query('update chats set handled_version = version where id = $1', [id]);
  await ageChat(query, id, ago(age));
  return id;
}

const contentOf = async (chatId: number) => {
  const { rows } = await query(
    `select title, message_count, forgotten_at is not null as forgotten,
       (select count(*)::int from messages where chat_id = c.id) as messages
     from chats c where id = $1`,
    [chatId],
  );
  return rows[0];
};
const forgotten = { title: null, message_count: 0, forgotten: true, messages: 0 };
const kept = { title: 'zqtitle', message_count: 1, forgotten: false, messages: 1 };

describe('chats in which nothing has happened for longer than the workspace says', () => {
  it('are emptied, with files that came with their messages, and younger ones are kept', async () => {
    const [old, young] = [await addChat(31), await addChat(29)];
    const [sent, uploaded] = [
      await addFile(suite.workspace, store, { filename: 'sent.txt' }),
      await addFile(suite.workspace, store, { filename: 'uploaded.txt' }),
    ];
    await query(`update files set source = 'message' where id = $1`, [sent.id]);
    for (const { id } of [sent, uploaded]) {
      await query(
        `insert into file_attachments (workspace_id, file_id, chat_id, message_id)
         select workspace_id, $2, chat_id, id from messages where chat_id = $1`,
        [old, id],
      );
    }

    expect(await forget()).toBe(1);

    expect(await contentOf(old)).toEqual(forgotten);
    expect(await contentOf(young)).toEqual(kept);
    const { rows } = await query('select id from files where id = any($1)', [[sent.id, uploaded.id]]);
    expect(rows).toEqual([{ id: uploaded.id }]);
    const { rows: objects } = await query(
      'select count(*)::int as doomed from stored_objects where state = $1',
      ['doomed'],
    );
    expect(objects).toEqual([{ doomed: 1 }]);
    const { rows: events } = await query(`select event_type from events where body like $1`, [
      `%"id":${sent.id},%`,
    ]);
    expect(events).toContainEqual({ event_type: 'file:deleted' });
    expect(await forget()).toBe(0);
  });

  it('keep a file of a message that a record begins to hold meanwhile', async () => {
    const type = await addTypeWithFiles(suite.workspace);
    const chatId = await addChat(31);
    const { id } = await addFile(suite.workspace, store, { filename: 'sent.txt' });
    await query(`update files set source = 'message' where id = $1`, [id]);
    await query(
      `insert into file_attachments (workspace_id, file_id, chat_id, message_id)
       select workspace_id, $2, chat_id, id from messages where chat_id = $1`,
      [chatId, id],
    );

    let forgetting: Promise<number> | undefined;
    await suite.database.database.inWorkspace(suite.workspace.workspaceId, async (tx) => {
      await holdFiles(tx, suite.workspace, type, [id]);
      forgetting = forget();
      await whenWaitedFor(tx);
    });

    expect(await forgetting).toBe(1);
    expect(await contentOf(chatId)).toEqual(forgotten);
    const { rows } = await query(
      'select record_id is not null as held from file_attachments where file_id = $1',
      [id],
    );
    expect(rows).toEqual([{ held: true }]);
  });

  it.each([
    [
      'an active assignment',
      async () => {
        const { assignment } = await addAssignment(suite.workspace, { rootTask: conversationTasks() });
        await query('update chats set handled_version = version where id = $1', [assignment.chatId]);
        await ageChat(query, assignment.chatId, ago(99));
        return assignment.chatId;
      },
    ],
    [
      'a follow-up to come',
      async () => {
        const id = await addChat(99);
        await addFollowUp(suite.workspace, id, {});
        await ageChat(query, id, ago(99));
        return id;
      },
    ],
    [
      'a scheduled message',
      async () => {
        const id = await addChat(99);
        await query(
          `insert into scheduled_messages (workspace_id, chat_id, author_member_id, message, send_at)
           values ($1, $2, $3, 'later', now() + interval '1 day')`,
          [suite.workspace.workspaceId, id, suite.workspace.admin.memberId],
        );
        await ageChat(query, id, ago(99));
        return id;
      },
    ],
    [
      'a turn that is owed',
      async () => {
        const id = await addChat(99);
        await query('update chats set version = handled_version + 1 where id = $1', [id]);
        return id;
      },
    ],
    [
      'a message that waits to be sent',
      async () => {
        const id = await addChat(99);
        await query(
          `insert into deliveries (workspace_id, chat_id, message_id, channel, sender, recipient)
         select workspace_id, chat_id, id, 'phone-sms', '+1', '+2' from messages where chat_id = $1`,
          [id],
        );
        await ageChat(query, id, ago(99));
        return id;
      },
    ],
    [
      'a younger message',
      async () => {
        const id = await addChat(99);
        await query('set session_replication_role = replica');
        await query('update messages set created_at = $2 where chat_id = $1', [id, ago(1)]);
        await query('set session_replication_role = origin');
        return id;
      },
    ],
  ])('are kept with %s', async (_, add) => {
    const id = await add();
    await forget();
    expect(await contentOf(id)).toMatchObject({ forgotten: false });
    // It is no candidate of the next tests.
    await ageChat(query, id, ago(1));
  });

  it('are emptied again after something new has grown old', async () => {
    const id = await addChat(31);
    await forget();
    await postMessage(suite.workspace.context(suite.workspace.member, clock), {
      chatId: id,
      content: 'zqagain',
    });
    expect(await contentOf(id)).toMatchObject({ forgotten: false, messages: 1, message_count: 1 });
    await query('update chats set handled_version = version where id = $1', [id]);
    await ageChat(query, id, ago(31));
    expect(await forget()).toBe(1);
    expect(await contentOf(id)).toEqual(forgotten);
  });

  it('of concluded assignments leave the assignment', async () => {
    const { assignment } = await addAssignment(suite.workspace, { rootTask: conversationTasks() });
    await query(`update assignments set status = 'completed', concluded_at = now() where id = $1`, [
      assignment.id,
    ]);
    await query('update chats set handled_version = version where id = $1', [assignment.chatId]);
    await ageChat(query, assignment.chatId, ago(31));
    expect(await forget()).toBe(1);
    const { rows } = await query('select status from assignments where id = $1', [assignment.id]);
    expect(rows).toEqual([{ status: 'completed' }]);
  });

  it('with very many messages are emptied in parts, and each part is a batch', async () => {
    const id = await addChat(31);
    await query('set session_replication_role = replica');
    await query(
      `insert into messages (workspace_id, chat_id, role, content, created_at)
       select $1, $2, 'user', '"zqsaid"', $3 from generate_series(1, 2500)`,
      [suite.workspace.workspaceId, id, ago(31)],
    );
    await query('set session_replication_role = origin');
    const left: number[] = [];
    await allBatches<OldChat>(async (after) => {
      const emptied = await batch(after);
      left.push((await contentOf(id))?.messages);
      return emptied;
    });
    expect(left).toEqual([1501, 501, 0]);
    expect(await contentOf(id)).toEqual(forgotten);
  });

  it('are emptied a few in a batch, and the next one goes on behind them', async () => {
    for (let count = 0; count < 45; count += 1) await addChat(31, { hasMessage: false });
    expect(await allBatches<OldChat>(batch)).toEqual([20, 20, 5]);
  });

  it('have their turn however many older ones are kept', async () => {
    const older: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      const id = await addChat(99);
      await addFollowUp(suite.workspace, id, {});
      await ageChat(query, id, ago(99));
      older.push(id);
    }
    const due = await addChat(31);
    await batch();
    expect(await contentOf(due)).toEqual(forgotten);
    for (const id of older) {
      expect(await contentOf(id)).toEqual(kept);
      await ageChat(query, id, ago(1));
    }
  });

  it('are those of one workspace', async () => {
    const other = await createWorkspace(suite.database.database);
    const id = await addChat(31);
    expect(await forget(other)).toBe(0);
    expect(await contentOf(id)).toEqual(kept);
    await forget();
  });

  it('are found by an index among very many, forgotten or young', async () => {
    const { workspaceId, member } = suite.workspace;
    await query('set session_replication_role = replica');
    // With statistics of a few messages, reading all of them is the better plan.
    await query('alter table messages set (autovacuum_enabled = off)');
    await query(
      `insert into chats (workspace_id, channel, chat_type, member_id, updated_at, forgotten_at)
       select $1, 'web-chat', 'simple', $2, case when i % 2 = 0 then now() else now() - interval '1 year' end,
         case when i % 2 = 0 then null else now() end
       from generate_series(1, 40000) i`,
      [workspaceId, member.memberId],
    );
    await query('set session_replication_role = origin');
    await query('analyze chats');
    const before = ago(30);
    const explained = await explaining(
      suite.database.appUrl,
      workspaceId,
      async (db) => {
        const found = await db.readInWorkspace(workspaceId, (tx) =>
          selectOldChats(tx, { before, after: beforeChats, limit: 200 }),
        );
        expect(found.length).toBeLessThan(10);
        await db.inWorkspace(workspaceId, (tx) => lockOldChat(tx, 1, before));
      },
      /from chats/,
    );
    const scans = explained.flatMap((plan) => plan.scans);
    expect(scans).toContain('Index Scan chats_to_forget');
    expect(scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
    expect(Math.max(...explained.map(({ rows }) => rows))).toBeLessThan(50);
  });
});
