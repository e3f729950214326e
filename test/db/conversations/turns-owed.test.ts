import knex, { type Knex } from 'knex';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ChatRow,
  findChat,
  insertChat,
  raiseChatVersion,
  updateChat,
} from '../../../db/conversations/chats.js';
import { ChatModel } from '../../../db/conversations/models/chat.js';
import type { Tx } from '../../../db/database.js';
import { insertRow } from '../../../db/lib/rows.js';
import * as turnsOwed from '../../../db/migrations/0045-turns-owed.js';
import * as begunAtOnce from '../../../db/migrations/0047-assignments-begun-at-once.js';
import { agentIsDue } from '../../../domain/kernel/agent-due.js';
import { callPerson } from '../../../domain/kernel/call-person.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const stage = useWorkspace();
let superuser: pg.Client;
let migrator: Knex;

beforeAll(async () => {
  superuser = new pg.Client({ connectionString: stage.database.superuserUrl });
  await superuser.connect();
  migrator = knex({ client: 'pg', connection: stage.database.migratorUrl });
});
afterAll(() => Promise.all([superuser.end(), migrator.destroy()]));

const inside = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  stage.database.database.inWorkspace(stage.workspace.workspaceId, work);

async function addChat(): Promise<number> {
  const { memberId } = stage.workspace.member;
  const chat = await inside((tx) => insertChat(tx, { channel: 'web-chat', chatType: 'simple', memberId }));
  return chat.id;
}

const read = async (chatId: number): Promise<ChatRow> => {
  const chat = await inside((tx) => findChat(tx, chatId));
  if (chat === undefined) throw new Error('the chat is gone');
  return chat;
};
const change = (chatId: number, changes: Partial<ChatRow>) => inside((tx) => updateChat(tx, chatId, changes));
const raise = (chatId: number) => inside((tx) => raiseChatVersion(tx, chatId));

const long = new Date('2026-01-01T00:00:00Z');
const owedForLong = (chatId: number) =>
  superuser.query('update chats set turn_owed_since = $1 where id = $2', [long, chatId]);

/** Every combination of these values. */
const flags = [
  { version: [0, 1] },
  { assistantEnabled: [true, false] },
  { paused: [true, false] },
  { archived: [true, false] },
  { agentStoppedReason: [null, 'turn_budget'] },
  { needsResponseReason: [null, 'step_failed', 'member_disabled'] },
].reduce<Partial<ChatRow>[]>(
  (combinations, flag) => {
    const [[name, values]] = Object.entries(flag) as [[string, readonly unknown[]]];
    return combinations.flatMap((rest) => values.map((value) => ({ ...rest, [name]: value })));
  },
  [{}],
);

describe('turn_owed_since of a chat', () => {
  it('is set exactly when the domain says that a turn is due, except for a disabled member', async () => {
    const chatId = await addChat();
    for (const combination of flags) {
      const chat = await change(chatId, combination);
      const isOwed = agentIsDue(chat) && chat.needsResponseReason !== 'member_disabled';
      expect([combination, chat.turnOwedSince !== null]).toEqual([combination, isOwed]);
    }
  });

  it('is set on insert by the same rule', async () => {
    const { memberId } = stage.workspace.member;
    for (const combination of flags) {
      const values = { channel: 'web-chat', chatType: 'simple', memberId, ...combination } as const;
      const chat = await inside((tx) => insertRow(ChatModel, tx, values));
      const isOwed = agentIsDue(chat) && chat.needsResponseReason !== 'member_disabled';
      expect([combination, chat.turnOwedSince !== null]).toEqual([combination, isOwed]);
    }
  });

  it('keeps its first time while messages arrive, and is cleared by the answer', async () => {
    const chatId = await addChat();
    expect((await read(chatId)).turnOwedSince).toBeNull();
    const before = Date.now();
    const { turnOwedSince } = await raise(chatId);
    expect(Math.abs((turnOwedSince?.getTime() ?? 0) - before)).toBeLessThan(10_000);

    await owedForLong(chatId);
    const { version } = await raise(chatId);
    expect((await read(chatId)).turnOwedSince).toEqual(long);

    await change(chatId, { handledVersion: version });
    expect((await read(chatId)).turnOwedSince).toBeNull();
  });

  it('starts again when only a part was answered', async () => {
    const chatId = await addChat();
    const asked = await raise(chatId);
    await raise(chatId);
    await owedForLong(chatId);

    const { turnOwedSince } = await change(chatId, { handledVersion: asked.version });

    expect(turnOwedSince?.getTime()).toBeGreaterThan(long.getTime());
  });

  it('stays while a person is called for another reason', async () => {
    const chatId = await addChat();
    await raise(chatId);
    await owedForLong(chatId);

    await inside((tx) => callPerson(tx, { id: chatId }, 'model_unavailable'));

    expect((await read(chatId)).turnOwedSince).toEqual(long);
  });

  it('does not raise the revision of the chat', async () => {
    const chatId = await addChat();
    const { revision } = await read(chatId);

    await raise(chatId);
    const owed = await read(chatId);
    await change(chatId, { handledVersion: owed.version });

    expect(owed.turnOwedSince).not.toBeNull();
    expect((await read(chatId)).revision).toBe(revision);
  });

  it('is derived by the migration from the chats of the previous release', async () => {
    const [owing, silent, answered] = [await addChat(), await addChat(), await addChat()];
    await change(owing, { lastMessageReceivedAt: long });
    for (const chatId of [owing, silent]) await raise(chatId);
    const before = await Promise.all([owing, silent, answered].map(read));
    await migrator.transaction(begunAtOnce.down);
    await migrator.transaction(turnsOwed.down);

    await migrator.transaction(turnsOwed.up);
    await migrator.transaction(begunAtOnce.up);

    const after = await Promise.all([owing, silent, answered].map(read));
    expect(after).toEqual([
      { ...before[0], turnOwedSince: long },
      { ...before[1], turnOwedSince: before[1]?.updatedAt },
      before[2],
    ]);
  });
});
