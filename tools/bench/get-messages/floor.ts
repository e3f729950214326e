import Koa from 'koa';
import pg from 'pg';

/*
 * The floor of GET messages: the same query under the same row-level security, without API key, permissions,
 * validation or log.
 */

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = new Koa();

app.use(async (ctx) => {
  const [, workspaceId, chatId] = /^\/w\/(\d+)\/chats\/(\d+)\/messages$/.exec(ctx.path) ?? [];
  if (chatId === undefined) {
    ctx.body = 'ready';
    return;
  }
  const client = await pool.connect();
  try {
    await client.query(`begin; set local app.workspace_id = '${workspaceId}'`);
    const { rows } = await client.query(
      `select * from messages where chat_id = $1 and sub_conversation_of is null order by id desc limit 10`,
      [chatId],
    );
    await client.query('commit');
    ctx.body = rows;
  } finally {
    client.release();
  }
});

app.listen(Number(process.env.PORT), '127.0.0.1');
