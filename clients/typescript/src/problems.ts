import type { Problem } from './schema.js';

/** The service refused a request, or failed to answer it. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  /** Stable, for programs; `unexpected_answer` if the answer is no problem, for example that of a proxy. */
  readonly code: string;
  /** Also in the log of the service. */
  readonly requestId: string | undefined;
  /** The invalid fields, each with a JSON pointer. */
  readonly errors: Problem['errors'];

  constructor(status: number, problem: Partial<Problem>) {
    super(problem.detail ?? `The service answered with status ${status}.`);
    this.status = status;
    this.code = problem.code ?? 'unexpected_answer';
    this.requestId = problem.requestId;
    this.errors = problem.errors ?? [];
  }
}

/** An answer that came in lines failed after its first line. */
export class StreamError extends Error {
  override readonly name = 'StreamError';
  readonly code: string;
  readonly requestId: string;

  constructor({ code, requestId }: { code: string; requestId: string }) {
    super(`The answer ended with the error ${code}.`);
    this.code = code;
    this.requestId = requestId;
  }
}

/** The error of an answer that is not 2xx, from its body. */
export function problemOf(status: number, body: unknown): ProblemError {
  return new ProblemError(status, typeof body === 'object' && body !== null ? body : {});
}
