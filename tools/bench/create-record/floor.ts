import Koa from 'koa';
import { koaBody } from 'koa-body';
import pg from 'pg';

/*
 * The floor of POST data records: inserts the same row into the same table in one transaction, without look-ups,
 * checks, history or events.
 */

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = new Koa();
app.use(koaBody());

app.use(async (ctx) => {
  const [, workspaceId, typeId] = /^\/w\/(\d+)\/data-types\/(\d+)\/records$/.exec(ctx.path) ?? [];
  if (typeId === undefined) {
    ctx.body = 'ready';
    return;
  }
  const { memberId, fieldValues } = ctx.request.body as { memberId: number; fieldValues: object };
  const client = await pool.connect();
  try {
    await client.query(`begin; set local app.workspace_id = '${workspaceId}'`);
    const { rows } = await client.query(
      `insert into data_records (workspace_id, data_type_id, member_id, is_single, field_values)
       values ($1, $2, $3, false, $4) returning *`,
      [workspaceId, typeId, memberId, fieldValues],
    );
    await client.query('commit');
    ctx.status = 201;
    ctx.body = rows[0];
  } finally {
    client.release();
  }
});

app.listen(Number(process.env.PORT), '127.0.0.1');
