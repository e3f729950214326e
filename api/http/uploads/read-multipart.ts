import { formidable, multipart, type Part } from 'formidable';
import type { Context } from 'koa';
import { type FieldError, mostErrorsTold } from '../../../domain/lib/errors.js';
import { HttpProblem } from '../problem.js';
import { unsupportedEncoding } from '../read-body.js';
import { pointerSegment } from '../validation/field-errors.js';
import { type FileDeclaration, openSpool, type Spool } from './uploaded-file.js';

/** The part that holds the file; all others are text fields. */
export const filePart = 'file';

/** Bytes allowed in addition to the file: text fields, and the boundaries between the parts. */
export const mostFieldBytes = 65_536;
const mostFields = 100;
/** All parts, including refused ones. */
const mostParts = mostFields + 10;
/** A body with too many parts is received to its end if it is not larger, so that the sender can read the refusal. */
const mostLetGo = 262_144;

/**
 * Reads a body of `multipart/form-data` (RFC 7578) with one file, which is written to the spool folder of the storage
 * if it is to be kept, and to a temporary one otherwise; `removingSpool` deletes it. No other part may have a file name.
 * @returns the text fields; a repeated one is a list
 * @throws TooManyRequests, Unavailable while too many other uploads are in progress, HttpProblem 400 when the body
 *   cannot be parsed or has other parts, 413 when it is too large (before reading it, if its length is known), 415
 */
export async function readMultipart(
  ctx: Context,
  declared: FileDeclaration,
  storageFolder: string,
): Promise<Record<string, string | string[]>> {
  const { length } = ctx.request;
  const chunked = ctx.req.headers['transfer-encoding'] !== undefined;
  if (!chunked && (length === undefined || length === 0)) throw HttpProblem.invalid([missing]);
  if (length !== undefined && length > declared.maxBytes + mostFieldBytes) throw tooLarge(declared);
  if (ctx.is('multipart/form-data') === false) {
    throw new HttpProblem(415, 'unsupported_media_type', 'The body has to be multipart/form-data.');
  }
  if (ctx.get('Content-Encoding') !== '') throw unsupportedEncoding('identity');
  const spool = await openSpool(ctx, declared.kept ? storageFolder : undefined);
  const { fields, errors } = await parse(ctx, spool, declared);
  if (spool.file === undefined) errors.push(missing);
  if (errors.length > 0) throw HttpProblem.invalid(errors.slice(0, mostErrorsTold));
  return fields;
}

const missing: FieldError = { pointer: `/${filePart}`, message: 'is required' };

async function parse(ctx: Context, spool: Spool, declared: FileDeclaration) {
  const form = formidable({
    // By default formidable would also look for other media types anywhere in the header's text.
    enabledPlugins: [multipart],
    uploadDir: spool.folder,
    ...(spool.name !== undefined && { filename: () => spool.name as string }),
    hashAlgorithm: 'sha256',
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

  // The file is recognised by the name of its part: clients differ in which parts get a media type or a file name.
  form.onPart = (part: Part) => {
    parts += 1;
    if (parts > mostParts) {
      // Without this, the parser would emit the remaining parts of the same chunk, each at the same cost.
      (form as object as { _parser: { destroy(): void } })._parser.destroy();
      const why = `The body has more than ${mostParts} parts.`;
      form.emit('error', new HttpProblem(400, 'malformed_body', why));
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
  form.on('file', (_name, { filepath, size, hash, originalFilename }) => {
    spool.file = { path: filepath, bytes: size, sha256: String(hash), name: originalFilename };
  });
  form.on('progress', (received) => {
    // Throwing here ends the parsing.
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
 * Discards the rest of a body, so that the connection can be used again. For megabytes of tiny parts this is too
 * expensive: reading stops, and the connection is closed after the answer.
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

/** Converts the parser's own errors. Errors of the disk are not the sender's fault and stay as they are. */
function problemFor(error: unknown, declared: FileDeclaration): unknown {
  if (typeof error !== 'object' || error === null || !('httpCode' in error)) return error;
  if (error.httpCode === 413) return tooLarge(declared);
  return new HttpProblem(400, 'malformed_body', 'The body is not multipart/form-data, or not all of it.');
}

function tooLarge({ maxBytes }: FileDeclaration): HttpProblem {
  const why = `The file is larger than ${maxBytes} bytes, or its fields are larger than ${mostFieldBytes}.`;
  return new HttpProblem(413, 'body_too_large', why);
}
