import Koa from 'koa';
import { koaBody } from 'koa-body';
import { inWorkspace } from '../support/floor-transaction.js';
import { type Floor, type FloorRequest, floors } from './floors.js';

/*
 * The program of the floors of requests: answers those of FLOOR with Koa and pg alone, and all others with `ready`.
 */

const { path, creates = false, answer }: Floor = floors[process.env.FLOOR as keyof typeof floors];

const app = new Koa();
if (creates) app.use(koaBody());
app.use(async (ctx) => {
  const [, workspaceId, ...ids] = path.exec(ctx.path) ?? [];
  if (workspaceId === undefined) {
    ctx.body = 'ready';
    return;
  }
  const body = ctx.request.body as FloorRequest['body'];
  ctx.body = await inWorkspace(workspaceId, (client) => answer({ client, workspaceId, ids, body }));
  ctx.status = creates ? 201 : 200;
});
app.listen(Number(process.env.PORT), '127.0.0.1');
