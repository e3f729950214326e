import type { Context, Middleware } from 'koa';
import { koaBody } from 'koa-body';
import { HttpProblem } from '../problems/http-problem.js';
import { parseJsonText } from './json-text.js';
import { hasTooManyValues, mostJsonValues } from './json-values.js';

export const bodyLimitBytes = 1_048_576;
/** Forms come from the carrier, whose messages are short, and are read before the sender is authenticated. */
export const formLimitBytes = 65_536;
const limits = { json: bodyLimitBytes, form: formLimitBytes } as const;

const mediaTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;
const off = { json: false, urlencoded: false, text: false, multipart: false };
const everyMethod = { parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'] as never };
const parsers: Record<'json' | 'form', Middleware> = {
  // Without an encoding, koa-body returns the raw bytes; decoding as UTF-8 would replace invalid bytes.
  json: koaBody({
    ...off,
    ...everyMethod,
    text: true,
    textTypes: [mediaTypes.json],
    textLimit: bodyLimitBytes,
    encoding: '',
  }),
  form: koaBody({
    ...off,
    ...everyMethod,
    urlencoded: true,
    urlencodedTypes: [mediaTypes.form],
    formLimit: formLimitBytes,
    // Field names are not interpreted: a form is a flat list of fields.
    queryString: { allowDots: false, depth: 0, parseArrays: false },
  }),
};

/** Parses a received body. @throws HttpProblem 400 when it cannot be parsed */
export type ParseBody = () => unknown;

/**
 * Receives the request's body and resolves to a function that parses it. Without a body, that function returns an empty
 * object, so that validation names the required fields.
 *
 * @throws HttpProblem 400 when the body is incomplete, 413 when it is too large (before reading it, if its length is
 *   known), 415 when it has another media type
 */
export async function receiveBody(ctx: Context, consumes: 'json' | 'form'): Promise<ParseBody> {
  const { length } = ctx.request;
  const chunked = ctx.req.headers['transfer-encoding'] !== undefined;
  if (!chunked && (length === undefined || length === 0)) return () => ({});
  if (length !== undefined && length > limits[consumes]) throw tooLarge(consumes);
  if (ctx.is(mediaTypes[consumes]) === false) throw wrongMediaType(consumes);
  if (consumes === 'json') checkCharset(ctx.request.charset);
  try {
    await parsers[consumes](ctx as never, async () => {});
  } catch (error) {
    // Discards the rest of the body, so that the connection can be used again.
    ctx.req.resume();
    // The parser's errors contain the body, so they are not passed on.
    throw problemFor(error, consumes);
  }
  const body: unknown = ctx.request.body ?? {};
  if (!Buffer.isBuffer(body)) return () => body;
  return body.length === 0 ? () => ({}) : () => readJson(body);
}

/** JSON is UTF-8 (RFC 8259, section 8.1); a body in another charset would be misread. */
export function checkCharset(charset: string): void {
  if (charset === '' || /^utf-?8$/i.test(charset)) return;
  throw new HttpProblem(415, 'unsupported_charset', 'The body has to be in UTF-8.');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readJson(bytes: Uint8Array): unknown {
  if (hasTooManyValues(bytes)) {
    const why = `The body has more than ${mostJsonValues} values and names.`;
    throw new HttpProblem(400, 'too_many_values', why);
  }
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new HttpProblem(400, 'malformed_body', 'The body is not UTF-8.');
  }
  const parsed = parseJsonText(text);
  if (!('value' in parsed)) {
    const where = parsed.line === undefined ? '' : ` at line ${parsed.line}, column ${parsed.column}`;
    throw new HttpProblem(400, 'malformed_body', `The body is not JSON${where}.`);
  }
  if (typeof parsed.value !== 'object' || parsed.value === null) throw malformed('a JSON object or array');
  return parsed.value;
}

function malformed(what: string): HttpProblem {
  return new HttpProblem(400, 'malformed_body', `The body is not ${what}.`);
}

function problemFor(error: unknown, consumes: 'json' | 'form'): HttpProblem {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  if (status === 413) return tooLarge(consumes);
  if (status === 415)
    return new HttpProblem(415, 'unsupported_media_type', 'The content encoding is not supported.');
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (/^(Z_|ERR_|ERR__)/.test(code)) return malformed('in the content encoding that its header names');
  return malformed(consumes === 'json' ? 'complete' : 'a form');
}

function tooLarge(consumes: 'json' | 'form'): HttpProblem {
  return new HttpProblem(413, 'body_too_large', `The body is larger than ${limits[consumes]} bytes.`);
}

function wrongMediaType(consumes: 'json' | 'form'): HttpProblem {
  return new HttpProblem(415, 'unsupported_media_type', `The body has to be ${mediaTypes[consumes]}.`);
}
