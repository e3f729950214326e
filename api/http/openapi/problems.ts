import type { Route } from '../define-route.js';
import { parameterNames } from '../path-parameters.js';
import { isLimited } from '../rate-limits/admit.js';
import type { OpenApiDocument } from './types.js';

/** What an error's status means, whoever answers with it. */
export const statuses: Record<number, string> = {
  400: 'A field, a parameter or a combination of them is not acceptable; `errors` points at each.',
  401: 'Credentials are missing or not valid.',
  403: 'The credential lacks the scope, or the member the permission, that `detail` names.',
  404: 'No such thing, or not in this workspace.',
  405: 'The address exists, but not with this method; `Allow` names those it has.',
  409: 'The thing is in a state that does not allow this; or a request with the `Idempotency-Key` is under way, or its answer was not kept.',
  413: 'The body is larger than 1 MiB, or what is uploaded larger than the operation says.',
  415: 'The body is of another media type than the one named here.',
  422: 'The request is understood and cannot be done, such as another one under the same `Idempotency-Key`.',
  429: 'Too many requests, or too many large ones at once, or refused credentials; `Retry-After` tells when to try again.',
  500: 'The database cannot be reached (`database_unavailable`, with `Retry-After`), or something failed on our side.',
  503: 'What has to answer now cannot be reached, or too many large requests are under way; `Retry-After` tells when to try again.',
};

const keyConflicts = 'Or a request with the `Idempotency-Key` is under way, or its answer was not kept.';
const problemType = 'application/problem+json';

/** Which errors a route can give follows from what it declares; the rest it names itself. */
export function problems(route: Route): Record<string, object> {
  const { kind, scope } = route.access;
  const inPath = parameterNames(route.path);
  const possible = [
    400,
    ...(route.idempotent ? [409, 422] : []),
    ...(isLimited(route) ? [429] : []),
    ...(kind === 'public' || kind === 'visitor' ? [] : [401]),
    ...(scope === undefined && !['member', 'visitor', 'session'].includes(kind) ? [] : [403]),
    ...(inPath.length === 0 ? [] : [404]),
    ...(route.body === undefined ? [] : [413, 415]),
    500,
    ...(isLimited(route) ? [503] : []),
  ];
  const told = possible.map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]);
  const named = Object.entries(route.errors).map(([status, text = '']) => [
    status,
    {
      description: route.idempotent && status === '409' ? `${text} ${keyConflicts}` : text,
      content: { [problemType]: { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]);
  return Object.fromEntries([...told, ...named]);
}

/** The answers that operations refer to. */
export function problemResponses(problem: object, referred: ReadonlySet<string>): Record<string, object> {
  const responses = Object.entries(statuses).map(([status, text]): [string, object] => [
    responseName(Number(status)),
    { description: text, content: { [problemType]: { schema: problem } } },
  ]);
  return Object.fromEntries(responses.filter(([name]) => referred.has(name)));
}

/** The statuses whose answers operations refer to. */
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
