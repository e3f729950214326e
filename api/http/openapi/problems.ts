import { parameterNames } from '../define-route.js';
import { isLimited } from '../pipeline/authenticate.js';
import type { Route } from '../route.js';
import type { OpenApiDocument } from './document.js';

/** The meaning of each error status, for all operations. */
export const statuses: Record<number, string> = {
  400: 'A field, a parameter or a combination of them is invalid; `errors` points to each.',
  401: 'The credentials are missing or invalid.',
  403: 'The credential lacks the scope, or the member the permission, that `detail` names.',
  404: 'The resource does not exist, or not in this workspace.',
  405: 'The path exists but does not support this method; `Allow` lists the supported ones.',
  409: 'The state of the resource does not allow this operation; or a request with the same `Idempotency-Key` is in progress, or its answer was not stored.',
  412: 'The resource or the file has changed since the ETag in `If-Match` was read (`precondition_failed`), or the operation supports no such header (`precondition_not_supported`). Nothing was done.',
  413: 'The body is larger than 1 MiB, or the uploaded file is larger than the operation allows.',
  415: 'The body has another media type than the operation accepts.',
  416: 'The range begins beyond the end of the file, whose length is in `Content-Range`.',
  422: 'The request is valid but cannot be performed, for example because its `Idempotency-Key` was used for another request.',
  429: 'Too many requests, too many concurrent large requests, or too many refused credentials; `Retry-After` says when to try again.',
  500: 'The database is unavailable (`database_unavailable`, with `Retry-After`), or an internal error occurred.',
  503: 'A required part of the service is unavailable, or too many large requests are in progress; `Retry-After` says when to try again.',
};

const keyConflicts =
  'Or a request with the same `Idempotency-Key` is in progress, or its answer was not stored.';
const problemType = 'application/problem+json';

/** The error responses of a route: those that follow from its declaration, and those that it names itself. */
export function problems(route: Route): Record<string, object> {
  const { kind, scope } = route.access;
  const inPath = parameterNames(route.path);
  const possible = [
    400,
    ...(route.idempotent === true ? [409, 422] : []),
    ...(isLimited(route) ? [429] : []),
    ...(kind === 'public' || kind === 'visitor' ? [] : [401]),
    ...(scope === undefined && !['member', 'visitor', 'session'].includes(kind) ? [] : [403]),
    ...(inPath.length === 0 ? [] : [404]),
    ...(route.ifMatch === undefined && route.response.file === undefined ? [] : [412]),
    ...(route.body === undefined && route.file === undefined ? [] : [413, 415]),
    ...(route.response.file === undefined ? [] : [416]),
    500,
    ...(isLimited(route) ? [503] : []),
  ];
  const told = possible.map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]);
  const named = Object.entries(route.errors).map(([status, text = '']) => [
    status,
    {
      description: route.idempotent === true && status === '409' ? `${text} ${keyConflicts}` : text,
      content: { [problemType]: { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]);
  return Object.fromEntries([...told, ...named]);
}

/** The error responses that operations refer to. */
export function problemResponses(problem: object, referred: ReadonlySet<string>): Record<string, object> {
  const responses = Object.entries(statuses).map(([status, text]): [string, object] => [
    responseName(Number(status)),
    { description: text, content: { [problemType]: { schema: problem } } },
  ]);
  return Object.fromEntries(responses.filter(([name]) => referred.has(name)));
}

/** The names of the error responses that operations refer to. */
export function referredStatuses(paths: OpenApiDocument['paths']): ReadonlySet<string> {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const references = operations.flatMap(({ responses }) =>
    Object.values(responses).map((response) => ('$ref' in response ? String(response.$ref) : '')),
  );
  return new Set(references.map((reference) => reference.replace('#/components/responses/', '')));
}

function responseName(status: number): string {
  return `Problem${status}`;
}
