import { describeErrors, type FieldError } from '../../../domain/lib/errors.js';

/** An HTTP error about the request itself, thrown before a command runs. */
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

  /** The error for fields that do not match the route's declaration. */
  static invalid(errors: FieldError[]): HttpProblem {
    return new HttpProblem(400, 'validation_failed', describeErrors(errors), { errors });
  }
}
