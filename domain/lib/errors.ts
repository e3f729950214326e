import type { ErrorCode, ErrorKind } from './error-codes.js';

/** One problem of a request: a JSON pointer (RFC 6901) into the body, query or path, and a message. */
export interface FieldError {
  pointer: string;
  message: string;
  /** The part of the request that the pointer refers to, if it is known. */
  in?: 'path' | 'query' | 'body';
}

/** Summarizes the errors in one sentence, which names the first three. */
export function describeErrors(errors: readonly FieldError[]): string {
  const told = errors.slice(0, 3).map(({ pointer, message }) => {
    const place = pointer.slice(0, maxPlaceLength);
    // A message that starts with a capital is a full sentence and names its subject itself.
    return place !== '' && /^\p{Ll}/u.test(message) ? `${place} ${message}` : message;
  });
  const others = errors.length - told.length;
  return joined(others === 0 ? told : [...told, `and ${others} more`]);
}

/** Sentences within a list lose their full stops. */
function joined(messages: readonly string[]): string {
  return messages.map((text, at) => (at < messages.length - 1 ? text.replace(/\.$/, '') : text)).join('; ');
}

/** Limits the pointer in a message, because the name of an unknown field can have any length. */
const maxPlaceLength = 100;

/** The maximum number of errors in a response. An unlimited list would be a way to overload the service. */
export const maxErrorsListed = 100;

/**
 * The base class of the errors that commands throw. `api/http/problem.ts` maps each kind to an HTTP status. `code` is
 * one of `errorCodes`; `message` never quotes user input.
 */
export abstract class DomainError<Kind extends ErrorKind = ErrorKind> extends Error {
  abstract readonly kind: Kind;
  readonly code: ErrorCode<Kind>;
  readonly errors: FieldError[];

  constructor(code: ErrorCode<Kind>, message: string, errors: FieldError[] = []) {
    super(message);
    this.name = new.target.name;
    this.code = code;
    this.errors = errors;
  }
}

/** A value or a combination of values is not acceptable. */
export class InvalidInput extends DomainError<'invalid'> {
  readonly kind = 'invalid';

  static field(
    pointer: string,
    message: string,
    code: ErrorCode<'invalid'> = 'validation_failed',
  ): InvalidInput {
    return InvalidInput.fields([{ pointer, message }], code);
  }

  /** Errors of several fields, reported together, up to `maxErrorsListed`. */
  static fields(errors: FieldError[], code: ErrorCode<'invalid'> = 'validation_failed'): InvalidInput {
    const told = errors.slice(0, maxErrorsListed);
    return new InvalidInput(code, describeErrors(told), told);
  }
}

/** Authentication is missing or invalid. The message does not say why, so that nobody learns whether a key exists. */
export class Unauthenticated extends DomainError<'unauthenticated'> {
  readonly kind = 'unauthenticated';
  constructor(
    message = 'The key or token of the header Authorization, or the session of the cookie, is unknown, wrong, expired or revoked.',
    code: ErrorCode<'unauthenticated'> = 'unauthenticated',
  ) {
    super(code, message);
  }
}

/** The caller lacks the named scope or permission. */
export class Forbidden extends DomainError<'forbidden'> {
  readonly kind = 'forbidden';
  constructor(
    readonly missing: string,
    message = `This needs ${missing}.`,
    code: ErrorCode<'forbidden'> = 'forbidden',
  ) {
    super(code, message);
  }
}

/** The resource does not exist in this workspace. */
export class NotFound extends DomainError<'not_found'> {
  readonly kind = 'not_found';
  constructor(what: string) {
    super('not_found', `${what} not found.`);
  }
}

/** The state of the resource does not allow this. */
export class Conflict extends DomainError<'conflict'> {
  readonly kind = 'conflict';
}

/** Whose part of the bytes of a workspace is used up. */
export type FullShare = 'workspace' | 'member' | 'emails' | 'unknown_senders';

/** There is no room for a file. */
export class StorageFull extends Conflict {
  constructor(
    readonly share: FullShare,
    message: string,
  ) {
    super('storage_full', message);
  }
}

/** The same operation is in progress; it may be repeated after `retryAfterSeconds`. */
export class InProgress extends Conflict {
  constructor(
    code: ErrorCode<'conflict'>,
    message: string,
    readonly retryAfterSeconds = 1,
  ) {
    super(code, message);
  }
}

/** The request is valid but contradicts an earlier one. */
export class Unprocessable extends DomainError<'unprocessable'> {
  readonly kind = 'unprocessable';
}

/** The content of an uploaded file is not accepted. */
export class UnsupportedFile extends DomainError<'unsupported'> {
  readonly kind = 'unsupported';
}

/** A rate limit is exceeded. */
export class TooManyRequests extends DomainError<'rate_limited'> {
  readonly kind = 'rate_limited';
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
    code: ErrorCode<'rate_limited'> = 'rate_limited',
  ) {
    super(code, message);
  }
}

/** The work itself failed on the side of the service or of a provider. */
export class Failed extends DomainError<'failed'> {
  readonly kind = 'failed';
}

/** A dependency that is needed for the answer cannot be reached. */
export class Unavailable extends DomainError<'unavailable'> {
  readonly kind = 'unavailable';
  constructor(
    message: string,
    readonly retryAfterSeconds = 5,
    code: ErrorCode<'unavailable'> = 'unavailable',
  ) {
    super(code, message);
  }
}
