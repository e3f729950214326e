import Koa from 'koa';
import { koaBody } from 'koa-body';
import type pg from 'pg';
import { inWorkspace } from './floor-transaction.js';

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
  const app = new Koa();
  if (creates) app.use(koaBody());
  app.use(async (ctx) => {
    const [, ...ids] = path.exec(ctx.path) ?? [];
    const [workspaceId] = ids;
    if (workspaceId === undefined) {
      ctx.body = 'ready';
      return;
    }
    const body = ctx.request.body as Body;
    ctx.body = await inWorkspace(workspaceId, (client) => answer({ client, ids, body }));
    ctx.status = creates ? 201 : 200;
  });
  app.listen(Number(process.env.PORT), '127.0.0.1');
}
