import { serveFloor } from '../support/serve-floor.js';

/*
 * The floor of GET messages: the same query under the same row-level security, without API key, permissions,
 * validation or log.
 */

serveFloor(/^\/w\/(\d+)\/chats\/(\d+)\/messages$/, async ({ client, ids: [, chatId] }) => {
  const { rows } = await client.query(
    `select * from messages where chat_id = $1 and sub_conversation_of is null order by id desc limit 10`,
    [chatId],
  );
  return rows;
});
