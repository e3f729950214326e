import type { Context } from 'koa';
import type { Endpoint } from './endpoint.js';

/**
 * Serves a request whose body is received. Large requests, and those that evaluate expressions, wait for their turn;
 * the pieces of a streamed answer take turns by themselves.
 */
export function takeTurn(
  { route, server }: Endpoint,
  ctx: Context,
  context: unknown,
  serve: () => Promise<void>,
): Promise<void> {
  if (route.response.events !== undefined || route.response.stream !== undefined) return serve();
  if (!route.evaluates) return server.large.serve(ctx, route, context, serve);
  return server.large.serve(ctx, route, context, async () => {
    const end = await server.evaluations.turn(ctx, context);
    await serve().finally(end);
  });
}
