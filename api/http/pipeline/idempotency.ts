import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Actor } from '../../../domain/kernel/actor.js';
import type { ServiceContext } from '../../../domain/kernel/context.js';
import { type Answer, performOnce } from '../../../domain/kernel/idempotency.js';
import { HttpProblem } from '../problem.js';
import type { HandlerInput, Route } from '../route.js';
import type { UploadedFile } from '../uploads/uploaded-file.js';
import { callerOf } from './caller.js';
import type { Endpoint } from './endpoint.js';

export const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes it safe to repeat the request: within 24 hours it is carried out once, and answered the same again. A ' +
    'new one, such as a UUID, for each thing to be done.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

/** Identifies repetitions of a request. */
export interface Idempotency {
  key: string;
  /**
   * HMAC-SHA256 of query, body, and name and digest of an uploaded file, whatever the order of fields, keyed with the idempotency key, which is not stored:
   * a plain hash would allow guesses of a secret in the body to be tested.
   */
  fingerprint: Buffer;
}

/**
 * Reads the key of a request to a route that honours it. Must be called before validation, which fills in defaults:
 * they may differ when the request is repeated. @throws HttpProblem 400 when the key is malformed
 */
export function readIdempotency(
  route: Route,
  headers: IncomingHttpHeaders,
  asked: { query: unknown; body: unknown; file?: UploadedFile | undefined },
): Idempotency | undefined {
  const key = headers['idempotency-key'];
  if (route.idempotent === false || key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[!-~]{1,255}$/.test(key)) {
    const why = 'The header Idempotency-Key has to be 1 to 255 visible ASCII characters.';
    throw new HttpProblem(400, 'invalid_idempotency_key', why);
  }
  const file = asked.file === undefined ? [] : [asked.file.sha256, asked.file.name];
  const text = JSON.stringify([sorted(asked.query), sorted(asked.body), ...file]);
  return { key, fingerprint: createHmac('sha256', key).update(text).digest() };
}

/** Performs a request with a database that is limited to one transaction, or returns the answer stored for its key. */
export async function answerOnce(
  { route, serialise }: Pick<Endpoint, 'route' | 'serialise'>,
  input: HandlerInput,
  { key, fingerprint }: Idempotency,
  perform: () => Promise<unknown>,
): Promise<Answer & { replayed: boolean }> {
  const { context, params } = input;
  const caller = callerOf(context);
  if (caller === undefined) throw new Error(`${route.operationId} has no caller to tell keys apart by.`);
  const request = {
    ...caller,
    key,
    fingerprint,
    operation: route.operationId,
    target: pathOf(route, params as Record<string, unknown>),
    keepAnswer: !route.secretAnswer,
    grants: (context as { actor?: Actor }).actor?.permissionsInForce() ?? [],
  };
  let body: string | undefined;
  const done = await performOnce(context as ServiceContext, request, async (db) => {
    input.context = { ...(context as object), db };
    body = serialise(await perform());
    const { id } = (body === '' ? {} : JSON.parse(body)) as { id?: unknown };
    return {
      status: route.response.status,
      body: route.renew === undefined ? body : JSON.stringify(JSON.parse(body), withoutAddresses),
      resourceId: typeof id === 'number' ? id : null,
    };
  });
  if (!done.replayed) return { ...done, body: body ?? done.body };
  if (route.renew === undefined) return done;
  const answer: unknown = JSON.parse(done.body);
  await route.renew({ context, services: input.services }, answer);
  return { ...done, body: JSON.stringify(answer) };
}

/** An address at which everyone gets bytes is stored nowhere. */
function withoutAddresses(name: string, value: unknown): unknown {
  return name === 'cdnUrl' ? '' : value;
}

/**
 * The uuid of a request: random, or derived from caller, path, key and what is sent (RFC 9562, version 5), so that a
 * repetition has the same.
 */
export function requestUuidOf(
  route: Route,
  { context, params }: Pick<HandlerInput, 'context' | 'params'>,
  idempotency: Idempotency | undefined,
): string {
  if (route.idempotent !== 'by_run' || idempotency === undefined) return randomUUID();
  const { key, fingerprint } = idempotency;
  const caller = callerOf(context);
  const target = pathOf(route, params as Record<string, unknown>);
  // A credential also says where it was presented, which differs when the request is repeated.
  const { kind, id } = caller?.credential ?? {};
  const name = [caller?.workspaceId, kind, id, route.operationId, target, key];
  const bytes = createHash('sha1').update(JSON.stringify(name)).update(fingerprint).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The path in canonical form: ids without leading zeros, UUIDs in lower case. */
function pathOf(route: Route, params: Record<string, unknown>): string {
  return route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name]);
    return encodeURIComponent(name.endsWith('_uuid') ? value.toLowerCase() : value);
  });
}

/** Deeper bodies are refused by validation, which runs later. */
const deepest = 64;

function sorted(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === deepest) return null;
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  const byName = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(byName.map(([name, inner]) => [name, sorted(inner, depth + 1)]));
}
