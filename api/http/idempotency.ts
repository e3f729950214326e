import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Actor } from '../../domain/kernel/actor.js';
import type { ServiceContext } from '../../domain/kernel/context.js';
import { type Answer, performOnce } from '../../domain/kernel/idempotency/perform-once.js';
import { callerOf } from './caller.js';
import type { Route } from './define-route.js';
import { HttpProblem } from './http-problem.js';

/** The header, as the OpenAPI document tells it. */
export const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes it safe to repeat the request: within 24 hours it is carried out once, and answered the same again. A ' +
    'new one, such as a UUID, for each thing to be done.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

const form = /^[!-~]{1,255}$/;
/** Deeper bodies are refused by their validation, which comes after. */
const deepest = 64;

/** What a request is repeated by. */
export interface Idempotency {
  key: string;
  /**
   * Of query and body as they were sent, whatever the order of their fields: HMAC-SHA256 by the key, which is not stored.
   * A body may hold a secret, and guesses of it could be tried on a mere hash.
   */
  fingerprint: Buffer;
}

/**
 * The Idempotency-Key of a request to a route that honours it; undefined where there is none. To be called before
 * validation, which fills in defaults: they may differ when the request is repeated.
 *
 * @throws HttpProblem 400 when it is no key
 */
export function readIdempotency(
  route: Route,
  headers: IncomingHttpHeaders,
  asked: { query: unknown; body: unknown },
): Idempotency | undefined {
  const key = headers['idempotency-key'];
  if (!route.idempotent || key === undefined) return undefined;
  if (typeof key !== 'string' || !form.test(key)) {
    throw new HttpProblem(
      400,
      'invalid_idempotency_key',
      'The header Idempotency-Key has to be 1 to 255 visible ASCII characters.',
    );
  }
  const text = JSON.stringify([sorted(asked.query), sorted(asked.body)]);
  return { key, fingerprint: createHmac('sha256', key).update(text).digest() };
}

/**
 * Answers a request under its key: by doing it, or as it was answered before. `perform` is given the route's context
 * over the one transaction that all of it is.
 */
export async function answerOnce(
  route: Route,
  context: unknown,
  params: unknown,
  { key, fingerprint }: Idempotency,
  perform: (context: unknown) => Promise<unknown>,
): Promise<Answer & { replayed: boolean }> {
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
  return performOnce(context as ServiceContext, request, async (db) => {
    const answer = await perform({ ...(context as object), db });
    const { id } = (answer ?? {}) as { id?: unknown };
    return {
      status: route.response.status,
      body: answer === undefined ? '' : JSON.stringify(answer),
      resourceId: typeof id === 'number' ? id : null,
    };
  });
}

/** The path in its one spelling: ids without leading zeros, uuids in lower case. */
function pathOf(route: Route, params: Record<string, unknown>): string {
  return route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name]);
    return encodeURIComponent(name.endsWith('_uuid') ? value.toLowerCase() : value);
  });
}

function sorted(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === deepest) return null;
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  const byName = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(byName.map(([name, inner]) => [name, sorted(inner, depth + 1)]));
}
