import type { Context } from 'koa';
import type { ParseBody } from '../body/read-body.js';
import { addressName } from '../rate-limits/address-name.js';
import { admitOrigin, beginCrossOrigin, crossOriginRequest } from './cross-origin.js';
import type { Endpoint } from './endpoint.js';
import type { Prefetch } from './prefetch.js';

/** Authenticates the caller, and returns the context of the handler. An open event stream calls it again. */
export type Authenticate = () => Promise<unknown>;

/** Returns the function that authenticates the caller of a request, and sends the prefetch with it. */
export function authentication(
  { route, server }: Endpoint,
  ctx: Context,
  { receive, prefetch }: { receive: () => Promise<ParseBody>; prefetch: Prefetch | undefined },
): Authenticate {
  const { context, services, ownOrigin, publicUrl } = server;
  const params: Record<string, string> = ctx.params;
  const crossOrigin = crossOriginRequest(ctx, { workspaceUuid: params.workspace_uuid, ownOrigin });
  if (crossOrigin !== undefined) beginCrossOrigin(ctx);
  return async () => {
    const granted = await route.access.grant({
      context,
      services,
      method: ctx.method,
      headers: ctx.headers,
      ownOrigin,
      address: addressName(ctx.ip),
      params,
      url: publicUrl + ctx.originalUrl,
      form: async () => (route.consumes === 'form' ? textFields((await receive())()) : {}),
      prefetch: prefetch?.prefetch,
    });
    if (crossOrigin !== undefined) await admitOrigin(ctx, crossOrigin, context);
    return granted;
  };
}

/** A form in the shape that its signature covers: the last value of each field. */
function textFields(form: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(form as Record<string, unknown>).map(([name, value]) => [
      name,
      String([value].flat().at(-1)),
    ]),
  );
}
