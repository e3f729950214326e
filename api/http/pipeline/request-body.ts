import type { Context } from 'koa';
import { type ParseBody, receiveBody } from '../body/read-body.js';
import { refuseBody } from '../body/refuse-body.js';
import type { Route } from '../define-route.js';
import { readMultipart } from '../uploads/read-multipart.js';
import type { Endpoint } from './endpoint.js';

/**
 * Returns the function that receives the body. It may be called again, because authentication may need a form first.
 */
export function requestBody({ route }: Endpoint, ctx: Context): () => Promise<ParseBody> {
  let receiving: Promise<ParseBody> | undefined;
  return () => {
    receiving ??= receive(ctx, route);
    return receiving;
  };
}

async function receive(ctx: Context, { body, consumes, file }: Route): Promise<ParseBody> {
  if (body === undefined) {
    await refuseBody(ctx.req);
    return () => undefined;
  }
  if (file === undefined) return receiveBody(ctx, consumes === 'form' ? 'form' : 'json');
  const form = await readMultipart(ctx, file);
  return () => form;
}
