import Koa from 'koa';
import pg from 'pg';

/*
 * The floor of GET a data record: reads the same row under the same row-level security, without API key, permissions,
 * data type, validation or log.
 */

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = new Koa();

app.use(async (ctx) => {
  const [, workspaceId, typeId, recordId] =
    /^\/w\/(\d+)\/data-types\/(\d+)\/records\/(\d+)$/.exec(ctx.path) ?? [];
  if (recordId === undefined) {
    ctx.body = 'ready';
    return;
  }
  const client = await pool.connect();
  try {
    await client.query(`begin; set local app.workspace_id = '${workspaceId}'`);
    const { rows } = await client.query(
      `select r.*, m.name as member_name from data_records r join members m on m.id = r.member_id
       where r.id = $1 and r.data_type_id = $2`,
      [recordId, typeId],
    );
    await client.query('commit');
    ctx.body = rows[0];
  } finally {
    client.release();
  }
});

app.listen(Number(process.env.PORT), '127.0.0.1');
