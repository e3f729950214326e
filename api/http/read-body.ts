import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { koaBody } from 'koa-body';
import { HttpProblem } from './problem.js';

export const bodyLimitBytes = 1_048_576;
/** Forms come from the carrier, whose messages are short, and are read before the sender is authenticated. */
const formLimitBytes = 65_536;
const limits = { json: bodyLimitBytes, form: formLimitBytes } as const;

const mediaTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;
const usual = {
  json: false,
  multipart: false,
  parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'] as never,
  textTypes: [mediaTypes.json],
  textLimit: bodyLimitBytes,
  urlencodedTypes: [mediaTypes.form],
  formLimit: formLimitBytes,
  // Field names are not interpreted: a form is a flat list of fields.
  queryString: { allowDots: false, depth: 0, parseArrays: false },
};
const parsers: Record<'json' | 'form', Middleware> = {
  // Without an encoding, koa-body returns the raw bytes; decoding as UTF-8 would replace invalid bytes.
  json: koaBody({ ...usual, urlencoded: false, encoding: '' }),
  form: koaBody({ ...usual, text: false }),
};

/** Parses a received body. @throws HttpProblem 400 when it cannot be parsed */
export type ParseBody = () => unknown;

/**
 * Receives the request's body and resolves to a function that parses it: to an empty object if there is none, so that
 * validation names the required fields. @throws HttpProblem 400 when the body is incomplete, 413 when it is too large
 * (before reading it, if its length is known), 415 when it has another media type
 */
export async function receiveBody(ctx: Context, consumes: 'json' | 'form'): Promise<ParseBody> {
  const { length } = ctx.request;
  const chunked = ctx.req.headers['transfer-encoding'] !== undefined;
  if (!chunked && (length === undefined || length === 0)) return () => ({});
  if (length !== undefined && length > limits[consumes]) throw tooLarge(consumes);
  if (ctx.is(mediaTypes[consumes]) === false) {
    throw new HttpProblem(415, 'unsupported_media_type', `The body has to be ${mediaTypes[consumes]}.`);
  }
  // JSON is UTF-8 (RFC 8259, section 8.1); a body in another charset would be misread.
  if (consumes === 'json' && !/^(utf-?8)?$/i.test(ctx.request.charset)) {
    throw new HttpProblem(415, 'unsupported_charset', 'The body has to be in UTF-8.');
  }
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

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readJson(bytes: Uint8Array): unknown {
  if (hasTooManyValues(bytes)) {
    const why = `The body has more than ${maxJsonValues} values and names.`;
    throw new HttpProblem(400, 'too_many_values', why);
  }
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    const at = firstInvalidByte(bytes);
    throw new HttpProblem(400, 'malformed_body', `The body is not UTF-8: byte ${at} does not belong there.`);
  }
  const parsed = parseJsonText(text);
  if (!('value' in parsed)) {
    const where = parsed.line === undefined ? '' : ` at line ${parsed.line}, column ${parsed.column}`;
    throw new HttpProblem(400, 'malformed_body', `The body is not JSON${where}.`);
  }
  if (typeof parsed.value !== 'object' || parsed.value === null) throw malformed('a JSON object or array');
  return parsed.value;
}

const lenientUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const replacement = '\ufffd';

/** Returns the offset of the first byte that decoding replaces, in a text that is not UTF-8. */
function firstInvalidByte(bytes: Uint8Array): number {
  const text = lenientUtf8.decode(bytes);
  let offset = 0;
  let from = 0;
  for (;;) {
    const at = text.indexOf(replacement, from);
    offset += Buffer.byteLength(text.slice(from, at));
    // The sender may have written the character itself.
    if (Buffer.compare(bytes.subarray(offset, offset + 3), Buffer.from(replacement)) !== 0) return offset;
    offset += 3;
    from = at + 1;
  }
}

function malformed(what: string): HttpProblem {
  return new HttpProblem(400, 'malformed_body', `The body is not ${what}.`);
}

function problemFor(error: unknown, consumes: 'json' | 'form'): HttpProblem {
  const { status, code } = Object(error) as { status?: unknown; code?: unknown };
  if (status === 413) return tooLarge(consumes);
  if (status === 415) return unsupportedEncoding('gzip, deflate, br');
  if (/^(Z_|ERR_)/.test(String(code))) return malformed('in the content encoding that its header names');
  return malformed(consumes === 'json' ? 'complete' : 'a form');
}

/** `Accept-Encoding` tells the client what it may send instead (RFC 9110, section 15.5.16). */
export function unsupportedEncoding(accepted: string): HttpProblem {
  const why = `The content encoding is not supported; supported: ${accepted}.`;
  return new HttpProblem(415, 'unsupported_media_type', why, { headers: { 'Accept-Encoding': accepted } });
}

function tooLarge(consumes: 'json' | 'form'): HttpProblem {
  return new HttpProblem(413, 'body_too_large', `The body is larger than ${limits[consumes]} bytes.`);
}

/** A parsed JSON text, or the position of its first error, counted from 1. */
type ParsedJson = { value: unknown } | { line: number; column: number } | { line?: never };

/** The position is not searched for in longer texts, because the search takes up to twenty parses. */
const maxSearchedLength = 65_536;

/** Parses JSON. The engine's error message quotes the text, so it is not passed on. */
function parseJsonText(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const at = positionIn(text, (error as SyntaxError).message);
    if (at === undefined) return {};
    const before = text.slice(0, at).split('\n');
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }
}

function positionIn(text: string, message: string): number | undefined {
  const [, told] = / at position (\d+)/.exec(message) ?? [];
  if (told !== undefined) return Number(told);
  if (!isUnexpectedToken(message)) return text.length;
  return text.length > maxSearchedLength ? undefined : minRefusedLength(text) - 1;
}

/** V8 does not report the position of an unexpected token: it is at the end of the shortest prefix that has one. */
function minRefusedLength(text: string): number {
  let low = 1;
  let high = text.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (hasUnexpectedToken(text.slice(0, middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}

function hasUnexpectedToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return isUnexpectedToken((error as SyntaxError).message);
  }
}

function isUnexpectedToken(message: string): boolean {
  return message.startsWith('Unexpected token');
}

/** More values than any legitimate request needs: a thousand records with a hundred fields each. */
export const maxJsonValues = 100_000;

const quote = 0x22;
const backslash = 0x5c;
/** Each of `,`, `:`, `[` and `{` precedes a value; only the outermost value has none before it. */
const beginsValue = new Uint8Array(256);
for (const sign of ',:[{') beginsValue[sign.charCodeAt(0)] = 1;

/**
 * Whether a JSON text in UTF-8, valid or not, has more values and names than `maxJsonValues`. Checked before parsing:
 * a mebibyte can hold half a million lists, which would take a fifth of a second and much of the process's memory.
 */
export function hasTooManyValues(bytes: Uint8Array): boolean {
  let values = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) at = endOfText(bytes, at);
    else values += beginsValue[byte] ?? 0;
    if (values > maxJsonValues) return true;
  }
  return false;
}

/** Returns the index of the closing quote of the string that begins at `from`. */
function endOfText(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

const maxEmptyBodyLength = 1_024;
const emptyBody = /^\s*(?:\{\s*\})?\s*$/;

/**
 * Refuses a body where the operation takes none, so that its fields are never silently ignored. An empty object, which
 * some clients always send, counts as no body. @throws HttpProblem 400 `unexpected_body`
 */
export async function refuseBody(request: IncomingMessage): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && (length === undefined || Number(length) === 0)) return;
  const text = await readShortText(request);
  if (text !== undefined && emptyBody.test(text)) return;
  // Discards the rest of the body, so that the connection can be used again.
  request.resume();
  throw new HttpProblem(400, 'unexpected_body', 'This operation takes no body.');
}

/** Reads the whole body; undefined if it is longer than an empty body can be, or incomplete. */
function readShortText(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const finish = (text: string | undefined) => {
      request.off('data', take).off('end', end).off('close', breakOff);
      resolve(text);
    };
    const take = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (bytes.length > maxEmptyBodyLength) finish(undefined);
    };
    const end = () => finish(bytes.toString('latin1'));
    const breakOff = () => finish(undefined);
    request.on('data', take).on('end', end).on('close', breakOff).on('error', breakOff);
  });
}

/** Reads a body to its end and keeps nothing of it. @throws HttpProblem 413 when it is longer than a form can be */
export async function passOverBody(request: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += (chunk as Buffer).length;
      if (bytes > formLimitBytes) throw tooLarge('form');
    }
  } catch (error) {
    throw error instanceof HttpProblem ? error : malformed('complete');
  }
}
