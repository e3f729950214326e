import { formidable, multipart, type Part } from 'formidable';
import type { Context } from 'koa';
import { type FieldError, mostErrorsTold } from '../../../domain/lib/errors.js';
import { pointerSegment } from '../field-errors.js';
import { HttpProblem } from '../http-problem.js';
import { openSpool, type Spool } from './spool.js';
import type { FileDeclaration } from './uploaded-file.js';

/** The part that is the file; all others are text fields. */
export const filePart = 'file';

/** What there may be besides the file: text fields, and the lines between the parts. */
export const mostFieldBytes = 65_536;
const mostFields = 100;
/** All parts, also those that are refused. */
const mostParts = mostFields + 10;
/** A body of too many parts that is no larger is received to its end, so that the sender reads why it is refused. */
const mostLetGo = 262_144;

/**
 * Reads a body of `multipart/form-data` (RFC 7578): the file goes to disk, into a folder of the request's own, and is
 * there for as long as `removingSpool` says. One file, no other parts with a file name.
 *
 * @returns the text fields by name; one that is repeated is a list
 * @throws TooManyRequests, Unavailable while too many others are under way
 * @throws HttpProblem 400 when it cannot be parsed or its parts are not those, 413 when it is too large (before
 *   reading it, where its length is told), 415 when it is something else
 */
export async function readMultipart(
  ctx: Context,
  declared: FileDeclaration,
): Promise<Record<string, string | string[]>> {
  const { length } = ctx.request;
  const chunked = ctx.req.headers['transfer-encoding'] !== undefined;
  if (!chunked && (length === undefined || length === 0)) throw HttpProblem.invalid([missing]);
  if (length !== undefined && length > declared.maxBytes + mostFieldBytes) throw tooLarge(declared);
  if (ctx.is('multipart/form-data') === false || ctx.get('Content-Encoding') !== '') {
    const why = 'The body has to be multipart/form-data, without a content encoding.';
    throw new HttpProblem(415, 'unsupported_media_type', why);
  }
  const spool = await openSpool(ctx);
  const { fields, errors } = await parse(ctx, spool, declared);
  if (spool.file === undefined) errors.push(missing);
  if (errors.length > 0) throw HttpProblem.invalid(errors.slice(0, mostErrorsTold));
  return fields;
}

const missing: FieldError = { pointer: `/${filePart}`, message: 'is required' };

interface Parsed {
  fields: Record<string, string | string[]>;
  errors: FieldError[];
}

async function parse(ctx: Context, spool: Spool, declared: FileDeclaration): Promise<Parsed> {
  const form = formidable({
    // By default it would look for other media types as well, in whatever the header's text has of them.
    enabledPlugins: [multipart],
    uploadDir: spool.folder,
    maxFileSize: declared.maxBytes,
    allowEmptyFiles: true,
    minFileSize: 0,
    maxFields: mostFields,
    maxFieldsSize: mostFieldBytes,
  });
  const values = new Map<string, string[]>();
  const errors: FieldError[] = [];
  let files = 0;
  let parts = 0;

  // Which part is the file is told by its name: clients differ in which parts they give a media type or a file name.
  form.onPart = (part: Part) => {
    parts += 1;
    if (parts > mostParts) {
      // What the parser has found of the same piece of the body would cost as much again for each part.
      parserOf(form)._parser.destroy();
      form.emit('error', tooManyParts());
      return;
    }
    const name = part.name ?? '';
    if (name !== filePart) {
      if (part.originalFilename !== null) {
        errors.push({ pointer: pointerSegment(name), message: 'must not be a file' });
        return;
      }
      part.mimetype = null;
      return form._handlePart(part);
    }
    files += 1;
    if (files > 1) {
      if (files === 2) errors.push({ pointer: `/${filePart}`, message: 'must be one file' });
      return;
    }
    part.mimetype ??= 'application/octet-stream';
    return form._handlePart(part);
  };
  form.on('field', (name, value) => {
    values.set(name, [...(values.get(name) ?? []), value]);
  });
  form.on('file', (_name, { filepath, size, originalFilename }) => {
    spool.file = { path: filepath, bytes: size, name: originalFilename };
  });
  form.on('progress', (received) => {
    // Thrown here it ends the parsing.
    if (received > declared.maxBytes + mostFieldBytes) throw tooLarge(declared);
  });

  try {
    await form.parse(ctx.req);
  } catch (error) {
    letGo(ctx, parts > mostParts);
    throw problemFor(error, declared);
  }
  const fields = [...values].map(([name, given]) => [name, given.length === 1 ? given[0] : given]);
  return { fields: Object.fromEntries(fields), errors };
}

/**
 * Lets go what is left of a body, so that the connection stays good. Megabytes of tiny parts are not worth that: nothing
 * more is read of them, and the connection is closed once they are answered.
 */
function letGo({ req, res }: Context, hasTooManyParts: boolean): void {
  const bytes = Number(req.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (!hasTooManyParts || bytes <= mostLetGo) {
    req.resume();
    return;
  }
  req.pause();
  res.shouldKeepAlive = false;
  res.once('finish', () => req.socket.destroySoon());
}

/** The part of the parser that its types leave out. */
function parserOf(form: object): { _parser: { destroy(): void } } {
  return form as { _parser: { destroy(): void } };
}

/** The parser's own errors; what the disk says is none of the sender's fault and stays what it is. */
function problemFor(error: unknown, declared: FileDeclaration): unknown {
  if (typeof error !== 'object' || error === null || !('httpCode' in error)) return error;
  if (error.httpCode === 413) return tooLarge(declared);
  return new HttpProblem(400, 'malformed_body', 'The body is not multipart/form-data, or not all of it.');
}

function tooManyParts(): HttpProblem {
  return new HttpProblem(400, 'malformed_body', `The body has more than ${mostParts} parts.`);
}

function tooLarge({ maxBytes }: FileDeclaration): HttpProblem {
  const why = `The file is larger than ${maxBytes} bytes, or its fields are larger than ${mostFieldBytes}.`;
  return new HttpProblem(413, 'body_too_large', why);
}
