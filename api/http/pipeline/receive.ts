import type { Context } from 'koa';
import { type ParseBody, passOverBody, receiveBody, refuseBody } from '../read-body.js';
import type { Route } from '../route.js';
import { readMultipart } from '../uploads/read-multipart.js';
import { readRaw } from '../uploads/read-raw.js';
import type { Server } from './endpoint.js';

/** Receives the body of a request. @returns what parses it, once it is the request's turn */
export type Receive = (ctx: Context) => Promise<ParseBody>;

const nothing = () => undefined;

/** How a route receives bodies. */
export function receiverOf({ body, consumes, file }: Route, { services: { storage } }: Server): Receive {
  if (file?.mediaType !== undefined) {
    const { mediaType } = file;
    return (ctx) => readRaw(ctx, { ...file, mediaType }, storage).then(() => nothing);
  }
  if (body === undefined) {
    const take = consumes === 'anything' ? passOverBody : refuseBody;
    return ({ req }) => take(req).then(() => nothing);
  }
  if (file === undefined) return (ctx) => receiveBody(ctx, consumes === 'form' ? 'form' : 'json');
  return async (ctx) => {
    const form = await readMultipart(ctx, file, storage);
    return () => form;
  };
}
