import type { ErrorCode, ErrorKind } from '../../domain/lib/error-codes.js';
import { errorCodes as ofCommands } from '../../domain/lib/error-codes.js';

/** The HTTP status of each kind of error that commands throw. */
export const statusOfKind = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  unsupported: 415,
  unprocessable: 422,
  rate_limited: 429,
  failed: 500,
  unavailable: 503,
} as const satisfies Record<ErrorKind, number>;

/** The codes about requests themselves, by status. No command has run when they are answered. */
const ofRequests = {
  400: {
    validation_failed: ofCommands.invalid.validation_failed,
    invalid_idempotency_key: 'The `Idempotency-Key` does not have the form of one.',
    malformed_body: 'The body is not readable as its media type says. The detail names the place.',
    malformed_if_match: '`If-Match` is not an ETag of this service.',
    malformed_query: 'The query is not percent-encoded UTF-8.',
    malformed_request: 'The request is not valid HTTP.',
    too_many_values: 'The body has more values than allowed.',
    unexpected_body: 'The operation takes no body.',
  },
  404: {
    not_found: ofCommands.not_found.not_found,
  },
  405: { method_not_allowed: 'The path does not support the method. `Allow` lists those that it supports.' },
  408: { request_timeout: 'The request did not arrive completely in time.' },
  412: {
    precondition_failed: 'The resource has changed since its ETag was read. Nothing was done.',
    precondition_not_supported: 'The operation supports no `If-Match` or `If-None-Match`. Nothing was done.',
  },
  413: { body_too_large: 'The body or the uploaded file is larger than allowed.' },
  415: {
    unsupported_charset: 'The body must be in UTF-8.',
    unsupported_media_type: 'The body has a media type or an encoding that the operation does not accept.',
  },
  416: {
    range_not_satisfiable: 'The range begins beyond the end of the file. `Content-Range` has its length.',
  },
  421: { unknown_host: 'The host that was asked is neither that of the service nor the domain of a site.' },
  431: { headers_too_large: 'The headers are larger than allowed.' },
} as const;

/** The codes of failures of the service. */
const ofFailures = {
  500: {
    database_busy: 'The database took too long, or another change came in between. Try again.',
    database_unavailable: ofCommands.unavailable.database_unavailable,
    internal_error: 'Something went wrong on the side of the service. The log has the `requestId`.',
    response_mismatch: 'In development only: the answer does not match its declaration.',
  },
} as const;

export type RequestErrorStatus = keyof typeof ofRequests;
/** The declared codes of a status: others do not compile. */
export type RequestErrorCode<Status extends RequestErrorStatus> = {
  [Name in Status]: keyof (typeof ofRequests)[Name] & string;
}[Status];
export type AnyErrorCode =
  | ErrorCode
  | RequestErrorCode<RequestErrorStatus>
  | (keyof (typeof ofFailures)[500] & string);

/** Every `code` that an error answer can have. A code may occur with several statuses. */
export const errorCodes: readonly { code: string; status: number; meaning: string }[] = codesByStatus();

function codesByStatus() {
  const found = new Map<string, { code: string; status: number; meaning: string }>();
  const add = (status: number, codes: Readonly<Record<string, string>>) => {
    for (const [code, meaning] of Object.entries(codes))
      found.set(`${status} ${code}`, { code, status, meaning });
  };
  for (const [status, codes] of Object.entries({ ...ofRequests, ...ofFailures })) add(Number(status), codes);
  for (const kind of Object.keys(statusOfKind) as ErrorKind[]) add(statusOfKind[kind], ofCommands[kind]);
  return [...found.values()].sort(
    (one, other) => one.status - other.status || (one.code < other.code ? -1 : 1),
  );
}
