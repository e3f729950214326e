import { describeErrors, type FieldError } from '../../domain/lib/errors.js';

/** Something wrong with a request as HTTP, before any command saw it. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';

  constructor(
    readonly status: 400 | 404 | 405 | 413 | 415,
    readonly code: string,
    message: string,
    readonly details: { errors?: FieldError[]; headers?: Record<string, string> } = {},
  ) {
    super(message);
  }

  /** Fields of the request are not what the route declares. */
  static invalid(errors: FieldError[]): HttpProblem {
    return new HttpProblem(400, 'validation_failed', describeErrors(errors), { errors });
  }
}
