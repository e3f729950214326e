import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

/** The API of this origin. The browser adds the session cookie. */
export const api = createClient<paths>({ baseUrl: '/api/v2' });

/** The schemas of the API document, by their names there. */
export type Schemas = components['schemas'];

interface FieldError {
  pointer: string;
  message: string;
}

/** What the API answers if it refuses or fails a request (docs/errors.md). */
export interface Problem {
  status: number;
  code: string;
  detail: string;
  requestId?: string | undefined;
  errors?: readonly FieldError[] | undefined;
}

export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = 'ProblemError';
    this.problem = problem;
  }
}

interface Answered<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of a call's answer. @throws ProblemError, or TypeError if there is no connection */
export async function answer<T>(call: Promise<Answered<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (response.ok) return data as T;
  throw new ProblemError(problemOf(error, response));
}

/** The body of an answer, and the mark by which the API knows that nothing has changed since. */
export interface Tagged<T> {
  body: T;
  etag: string;
}

export async function taggedAnswer<T>(call: Promise<Answered<T>>): Promise<Tagged<T>> {
  const body = await answer(call);
  return { body, etag: (await call).response.headers.get('etag') ?? '' };
}

/** Something else than the API, such as a proxy, may have answered. */
function problemOf(error: unknown, { status, headers }: Response): Problem {
  const given = (typeof error === 'object' && error !== null ? error : {}) as Partial<Problem>;
  return {
    status,
    code: given.code ?? 'unknown',
    detail: given.detail ?? `HTTP ${status}`,
    requestId: given.requestId ?? headers.get('x-request-id') ?? undefined,
    errors: given.errors,
  };
}

/** Whether there is nothing at the address that was asked for. */
export const isGone = (error: unknown): boolean =>
  error instanceof ProblemError && error.problem.status === 404;

/** Whether a request failed without an answer, so that it can be sent again. */
export function hasNoAnswer(error: unknown): boolean {
  return !(error instanceof ProblemError) || error.problem.status >= 500 || error.problem.status === 429;
}
