import Koa from 'koa';
import pg from 'pg';

/*
 * The floor of a filtered page: one count and one select over the same tables under the same row-level security,
 * without API key, permissions, data type, parsing of the filter, validation or log.
 */

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = new Koa();

const matching = `from data_record_values v where v.workspace_id = $1 and v.data_type_id = $2 and v.field = 'group'
  and not v.retired and v.text_value is null and v.number_value = $3`;

app.use(async (ctx) => {
  const [, workspaceId, typeId, group] =
    /^\/w\/(\d+)\/data-types\/(\d+)\/records\/group\/(\d+)$/.exec(ctx.path) ?? [];
  if (group === undefined) {
    ctx.body = 'ready';
    return;
  }
  const client = await pool.connect();
  try {
    await client.query(`begin; set local app.workspace_id = '${workspaceId}'`);
    const values = [workspaceId, typeId, group];
    const counted = await client.query({
      name: 'count',
      text: `select count(*)::int as total ${matching}`,
      values,
    });
    const { rows } = await client.query({
      name: 'page',
      text: `select r.*, m.name as member_name from data_records r join members m on m.id = r.member_id
        where r.id in (select v.record_id ${matching}) order by r.id limit 25`,
      values,
    });
    await client.query('commit');
    ctx.body = { items: rows, total: counted.rows[0].total };
  } finally {
    client.release();
  }
});

app.listen(Number(process.env.PORT), '127.0.0.1');
