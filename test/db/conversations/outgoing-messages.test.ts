import { expect, it } from 'vitest';
import { listOutgoingMessages } from '../../../domain/conversations/chats/list-outgoing-messages.js';
import { stageFreeChat } from '../../support/chats/free-chat.js';
import { connect } from '../../support/db/connect.js';
import { explaining } from '../../support/db/explained.js';
import { fillTables } from '../../support/db/fill-tables.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { workspace, database } = useWorkspace();

/** A million in CI. */
const messages = Number(process.env.TEST_ROWS ?? 100_000);

it('messages that failed are found by their index, however many others there are', async () => {
  const { chatId } = await stageFreeChat(workspace);
  const superuser = await connect(database.superuserUrl);
  await fillTables(superuser, ['messages'], async () => {
    await superuser.query(
      `insert into messages (workspace_id, chat_id, role, author, content, sms_delivery_status, created_revision, revision)
       select $1, $2, 'assistant', 'agent', '"Text"', case when i % 1000 = 0 then 'failed' else 'delivered' end, 0, 0
       from generate_series(1, $3::int) i`,
      [workspace.workspaceId, chatId, messages],
    );
  });
  await superuser.query('analyze messages');
  await superuser.end();

  const [explained] = await explaining(
    database.appUrl,
    workspace.workspaceId,
    (db) => listOutgoingMessages({ ...workspace.context(), db }, { state: 'failed' }, 25),
    /^select .*\bsms_delivery_status\b/s,
  );

  expect(explained?.scans).toContain('Index Scan messages_failed');
  expect(explained?.rows).toBeLessThan(500);
}, 300_000);
