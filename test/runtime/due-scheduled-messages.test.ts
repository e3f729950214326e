import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertChat } from '../../db/conversations/chats.js';
import { insertScheduledMessage } from '../../db/conversations/scheduled-messages.js';
import { overdueCountedTo, readDueScheduledMessages } from '../../runtime/relay/gauges.js';
import { useDatabase } from '../support/db/use-database.js';
import { createWorkspace, type TestWorkspace } from '../support/workspace/factories.js';

const testDatabase = useDatabase();
let superuser: pg.Client;
let relay: pg.Client;
beforeAll(async () => {
  superuser = new pg.Client({ connectionString: testDatabase.superuserUrl });
  relay = new pg.Client({ connectionString: testDatabase.relayUrl });
  await Promise.all([superuser.connect(), relay.connect()]);
});
afterAll(async () => {
  await Promise.all([superuser.end(), relay.end()]);
});

/** Schedules messages in a chat that were due so many seconds ago. */
async function schedule({ workspaceId, member, admin }: TestWorkspace, ...seconds: number[]): Promise<void> {
  await testDatabase.database.inWorkspace(workspaceId, async (tx) => {
    const { memberId } = member;
    const chat = await insertChat(tx, { channel: 'web-chat', chatType: 'simple', memberId });
    const written = { chatId: chat.id, authorMemberId: admin.memberId, apiKeyId: null, message: 'Hello' };
    const seen = { fileIds: [], seenMessageId: 0, seenWaitingSince: null };
    for (const ago of seconds) {
      const sendAt = new Date(Date.now() - 1_000 * ago);
      await insertScheduledMessage(tx, { ...written, ...seen, sendAt });
    }
  });
}

it('counts scheduled messages that have been due for five minutes and still wait, over all workspaces', async () => {
  expect(await readDueScheduledMessages(relay)).toEqual({ oldestSeconds: 0, messages: 0 });
  const one = await createWorkspace(testDatabase.database);
  await schedule(one, -3_600, 10, 250, 700);
  await schedule(await createWorkspace(testDatabase.database), 400);

  const due = await readDueScheduledMessages(relay);
  expect(due.messages).toBe(2);
  expect(due.oldestSeconds).toBeGreaterThanOrEqual(700);
  expect(due.oldestSeconds).toBeLessThan(720);

  await superuser.query(`update scheduled_messages set state = 'cancelled', settled_at = now()`);
  expect(await readDueScheduledMessages(relay)).toEqual({ oldestSeconds: 0, messages: 0 });
});

it('reads no more than it counts, by its index', async () => {
  const plan = await superuser.query(
    `explain (format json) select send_at from scheduled_messages
     where state = 'pending' and send_at < now() - interval '5 minutes' order by send_at limit ${overdueCountedTo}`,
  );
  expect(JSON.stringify(plan.rows)).toContain('scheduled_messages_due');
});
