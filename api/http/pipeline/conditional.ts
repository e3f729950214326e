import { hash } from 'node:crypto';
import type { Context } from 'koa';
import type { CommandContext } from '../../../domain/kernel/context.js';
import { HttpProblem } from '../problem.js';
import type { HandlerInput, Route } from '../route.js';
import { serialiserOf } from '../serialise.js';

export const ifMatchParameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The ETag that the GET of the resource answered, or several with commas. If the resource has changed since, nothing is done and the answer is 412 `precondition_failed`. `*` matches any state.',
  schema: { type: 'string' },
};

export const ifNoneMatchParameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The ETag of an earlier answer. If nothing has changed since, the answer is 304, without a body.',
  schema: { type: 'string' },
};

export const etagHeader = {
  ETag: {
    description:
      'Changes with every change of the answer. It differs between callers who see different things.',
    schema: { type: 'string' },
  },
};

/** The ETag of an answer: strong, as answers with the same tag are the same bytes (RFC 9110, section 8.8.3). */
function entityTag(body: string): string {
  return `"${hash('sha256', body, 'base64url')}"`;
}

/** The ETag of an answer without the fields that it does not depend on. */
function tagOf({ etag }: Route, body: string): string {
  if (typeof etag !== 'object') return entityTag(body);
  const tagged = (field: string, value: unknown) => (etag.except.includes(field) ? undefined : value);
  return entityTag(JSON.stringify(JSON.parse(body), tagged));
}

/** Adds the ETag of an answer that has one, and answers 304 if the client has it already. */
export function answerFresh(ctx: Context, route: Route, body: string): void {
  if (route.etag === false) return;
  const tag = tagOf(route, body);
  ctx.set('ETag', tag);
  if (isKnown(ctx.headers['if-none-match'] ?? '', tag)) ctx.status = 304;
}

/** By weak comparison. `ctx.fresh` would obey the `Cache-Control: no-cache` that `fetch` adds to a conditional request. */
export function isKnown(ifNoneMatch: string, tag: string): boolean {
  return (
    ifNoneMatch.trim() === '*' ||
    ifNoneMatch.split(/[\s,]+/).some((known) => known.replace(/^W\//, '') === tag)
  );
}

/** The tags of an `If-Match`: any, or one of a list. */
export type Expected = '*' | readonly string[];

const tagCharacters = '[\\x21\\x23-\\x7e\\x80-\\xff]*';
const listOfTags = new RegExp(`^(?:W/)?"${tagCharacters}"(?:[ \\t]*,[ \\t]*(?:W/)?"${tagCharacters}")*$`);

/**
 * Reads the preconditions of a request that changes something. They are never ignored: an operation without ETags is
 * performed only without them. @throws HttpProblem 400 `malformed_if_match`, 412 `precondition_not_supported`
 */
export function readIfMatch(route: Route, headers: Context['headers']): Expected | undefined {
  if (route.method === 'GET') return undefined;
  if (headers['if-none-match'] !== undefined) throw notSupported('If-None-Match');
  const header = headers['if-match'];
  if (header === undefined) return undefined;
  if (route.ifMatch === undefined) throw notSupported('If-Match');
  return expectedTags(header);
}

/** Parses an `If-Match`. @throws HttpProblem 400 `malformed_if_match` */
export function expectedTags(header: string): Expected {
  const text = header.trim();
  if (text === '*') return '*';
  if (!listOfTags.test(text)) {
    const why = 'The header If-Match has to be * or ETags in double quotes, with commas between them.';
    throw new HttpProblem(400, 'malformed_if_match', why);
  }
  // A weak tag never matches (RFC 9110, section 13.1.1), so it needs no place in the list.
  return [...text.matchAll(/(W\/)?("[^"]*")/g)].flatMap(([, weak, tag = '']) => (weak ? [] : [tag]));
}

function notSupported(header: string): HttpProblem {
  const why = `This operation does not support ${header}: nothing was done. Send the request without it.`;
  return new HttpProblem(412, 'precondition_not_supported', why);
}

/**
 * Performs a request in one transaction, in which the resource is locked and has an expected ETag. Adds the ETag that
 * the resource has afterwards, so that a client can go on from there. @throws HttpProblem 412 `precondition_failed`
 */
export async function performIfMatch<Result>(
  route: Route,
  { setTag, input, expected }: { setTag: (tag: string) => void; input: HandlerInput; expected: Expected },
  perform: () => Promise<Result>,
): Promise<Result> {
  const { ifMatch } = route;
  if (ifMatch === undefined) throw new Error(`${route.operationId} declares no ifMatch`);
  const context = input.context as CommandContext;
  return context.db.atomically(context.actor.workspaceId, async (within) => {
    input.context = { ...context, db: within };
    const { current } = ifMatch;
    const serialise = serialiserOf(current);
    const tag = async () =>
      tagOf(current, serialise(await current.handler({ ...input, query: {}, isForTag: true })));
    await ifMatch.lock(input);
    const before = await tag();
    if (expected !== '*' && !expected.includes(before)) {
      const why = 'The resource has changed since the ETag in If-Match was read. Read it again.';
      throw new HttpProblem(412, 'precondition_failed', why);
    }
    const result = await perform();
    if (route.method !== 'DELETE') setTag(await tag());
    return result;
  });
}
