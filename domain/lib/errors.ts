/** One thing wrong with a request: where, by JSON pointer (RFC 6901) into the body, query or path, and why. */
export interface FieldError {
  pointer: string;
  message: string;
  /** Which part of the request the pointer is into, where it is known. */
  in?: 'path' | 'query' | 'body';
}

/** What is wrong, in a sentence: the first three fields by name. */
export function describeErrors(errors: readonly FieldError[]): string {
  const told = errors.slice(0, 3).map(({ pointer, message }) => {
    const place = pointer.slice(0, longestPlace);
    // What is a sentence by itself names its subject.
    return place !== '' && /^\p{Ll}/u.test(message) ? `${place} ${message}` : message;
  });
  const others = errors.length - told.length;
  return others === 0 ? told.join('; ') : `${told.join('; ')}; and ${others} more`;
}

/** The name of an unknown field may be of any length. */
const longestPlace = 100;

/** Nobody reads more of them, and a list without end is a way to burden the service. */
export const mostErrorsTold = 100;

/**
 * The small tree of errors that commands throw. Each is mapped once, in `api/http/problem.ts`, to
 * `application/problem+json`. `code` is machine readable and stable; `message` never quotes what a person
 * wrote.
 */
export abstract class DomainError extends Error {
  abstract readonly status: 400 | 401 | 403 | 404 | 409 | 422 | 429 | 500 | 503;
  readonly code: string;
  readonly errors: FieldError[];

  constructor(code: string, message: string, errors: FieldError[] = []) {
    super(message);
    this.name = new.target.name;
    this.code = code;
    this.errors = errors;
  }
}

/** A value or a combination of values is not acceptable: 400. */
export class InvalidInput extends DomainError {
  readonly status = 400;

  /** One field is wrong. `pointer` such as `/email`. */
  static field(pointer: string, message: string, code = 'validation_failed'): InvalidInput {
    return InvalidInput.fields([{ pointer, message }], code);
  }

  /** Several fields are wrong, all told at once, as far as anyone reads. */
  static fields(errors: FieldError[], code = 'validation_failed'): InvalidInput {
    const told = errors.slice(0, mostErrorsTold);
    return new InvalidInput(code, describeErrors(told), told);
  }
}

/** Nobody, or not who they claim: 401. */
export class Unauthenticated extends DomainError {
  readonly status = 401;
  constructor(message = 'Authentication is missing or invalid.', code = 'unauthenticated') {
    super(code, message);
  }
}

/** The caller lacks a scope or a permission, which is named: 403. */
export class Forbidden extends DomainError {
  readonly status = 403;
  constructor(
    readonly missing: string,
    message = `This needs ${missing}.`,
    code = 'forbidden',
  ) {
    super(code, message);
  }
}

/** No such thing in this workspace: 404. */
export class NotFound extends DomainError {
  readonly status = 404;
  constructor(what: string) {
    super('not_found', `${what} not found.`);
  }
}

/** The thing is in a state that does not allow this: 409. */
export class Conflict extends DomainError {
  readonly status = 409;
}

/** The same is being done at this very moment: 409, with `Retry-After`. */
export class InProgress extends Conflict {
  constructor(
    code: string,
    message: string,
    readonly retryAfterSeconds = 1,
  ) {
    super(code, message);
  }
}

/** Understood, and at odds with what was asked before: 422. */
export class Unprocessable extends DomainError {
  readonly status = 422;
}

/** Too many of these in too short a time: 429, with `Retry-After`. */
export class TooManyRequests extends DomainError {
  readonly status = 429;
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
    code = 'rate_limited',
  ) {
    super(code, message);
  }
}

/** Something that must answer now cannot be reached: 503, with `Retry-After`. */
export class Unavailable extends DomainError {
  readonly status = 503;
  constructor(
    message: string,
    readonly retryAfterSeconds = 5,
    code = 'unavailable',
  ) {
    super(code, message);
  }
}
