import Koa from 'koa';
import { koaBody } from 'koa-body';
import pg from 'pg';

interface FloorRequest<Body> {
  /** In a transaction, under the row-level security of the workspace. */
  client: pg.PoolClient;
  /** The groups of the path; the first is the id of the workspace. */
  ids: readonly string[];
  body: Body;
}

/** The program of a floor: answers requests for one path with Koa and pg alone, and all others with `ready`. */
export function serveFloor<Body>(
  path: RegExp,
  answer: (request: FloorRequest<Body>) => Promise<unknown>,
  { creates = false } = {},
): void {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  const app = new Koa();
  if (creates) app.use(koaBody());
  app.use(async (ctx) => {
    const [, ...ids] = path.exec(ctx.path) ?? [];
    if (ids.length === 0) {
      ctx.body = 'ready';
      return;
    }
    const client = await pool.connect();
    try {
      await client.query(`begin; set local app.workspace_id = '${ids[0]}'`);
      const body = await answer({ client, ids, body: ctx.request.body as Body });
      await client.query('commit');
      ctx.status = creates ? 201 : 200;
      ctx.body = body;
    } finally {
      client.release();
    }
  });
  app.listen(Number(process.env.PORT), '127.0.0.1');
}
