import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { insertMessage } from '../../../../db/conversations/messages.js';
import { Database } from '../../../../db/database.js';
import { statement } from '../../../../db/statement.js';
import { readChanges } from '../../../../domain/conversations/chat-events/read-changes.js';
import { createChat } from '../../../../domain/conversations/chats/create-chat.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const setup = useWorkspace();
let db: Database;

beforeAll(() => {
  db = new Database({ url: setup.database.appUrl, poolSize: 1 });
});
afterAll(() => db.close());

/** A chat with a message for each revision. */
async function addChat(messages: number) {
  const { workspaceId } = setup.workspace;
  const { id: chatId, revision } = await createChat(setup.workspace.context(), { channel: 'web-chat' });
  for (let n = 0; n < messages; n += 1) {
    await db.inWorkspace(workspaceId, (tx) =>
      insertMessage(tx, { chatId, role: 'user', author: 'member', content: `message ${n}` }),
    );
  }
  return { place: { workspaceId, chatId }, revision: revision + messages };
}

it('readChanges reads a new message in one round trip', async () => {
  const { place, revision } = await addChat(1);
  const sent = vi.spyOn(pg.Client.prototype, 'query');

  const batch = await readChanges(db, place, revision - 1);

  expect(batch).toMatchObject({ upTo: revision, complete: true, changes: [{ kind: 'message.created' }] });
  expect(sent).toHaveBeenCalledTimes(1);
  sent.mockRestore();
});

it('readChanges has its statements planned once for each connection', async () => {
  const { place, revision } = await addChat(200);
  for (let read = 0; read < 20; read += 1) await readChanges(db, place, revision - 1);

  const plans = await db.readInWorkspace(place.workspaceId, (tx) =>
    statement<{ custom: number; generic: number }>(
      tx,
      `select custom_plans as custom, generic_plans as generic from pg_prepared_statements
       where statement like '%created_revision%' and statement like '%bytesSoFar%'`,
      [],
    ),
  );

  // PostgreSQL plans a statement five times before it decides to keep a plan.
  expect(plans).toMatchObject([{ custom: 5 }, { custom: 5 }]);
  for (const { generic } of plans) expect(generic).toBeGreaterThan(10);
});
