import type { Context } from 'koa';
import type { ObjectStore } from '../../../domain/files/object-store.js';
import { type FieldError, maxErrorsListed } from '../../../domain/lib/errors.js';
import { HttpProblem } from '../problem.js';
import { unsupportedEncoding } from '../read-body.js';
import { maxFieldBytes, TooManyParts, tooLarge } from './form-problems.js';
import { filePart, type ReceivedForm, receiveForm } from './receive-form.js';
import { type FileDeclaration, openSpool, spoolBytes } from './uploaded-file.js';

/** A body with too many parts is received to its end if it is not larger, so that the sender can read the refusal. */
const maxLetGo = 262_144;

/**
 * Reads a body of `multipart/form-data` (RFC 7578) with one file, which is received into the spool folder of the storage
 * if it is to be kept, and into a temporary one otherwise; `removingSpool` deletes it. No other part may have a file name.
 * @returns the text fields; a repeated one is a list
 * @throws TooManyRequests, Unavailable while too many other uploads are in progress or the storage cannot be used,
 *   HttpProblem 400 when the body cannot be parsed or has other parts, 413 when it is too large (before reading it, if
 *   its length is known), 415
 */
export async function readMultipart(
  ctx: Context,
  declared: FileDeclaration,
  storage: Pick<ObjectStore, 'receive'>,
): Promise<Record<string, string | string[]>> {
  const { length } = ctx.request;
  const chunked = ctx.req.headers['transfer-encoding'] !== undefined;
  if (!chunked && (length === undefined || length === 0)) throw HttpProblem.invalid([missing]);
  if (length !== undefined && length > declared.maxBytes + maxFieldBytes) throw tooLarge(declared.maxBytes);
  if (ctx.is('multipart/form-data') === false) {
    throw new HttpProblem(415, 'unsupported_media_type', 'The body has to be multipart/form-data.');
  }
  if (ctx.get('Content-Encoding') !== '') throw unsupportedEncoding('identity');
  const spool = await openSpool(ctx, declared);
  const store = (bytes: AsyncIterable<Uint8Array>, name: string | null) =>
    spoolBytes(spool, { bytes, name, storage, maxBytes: declared.maxBytes });
  const { fields, errors } = await receive(ctx, { maxBytes: declared.maxBytes, store });
  if (spool.file === undefined) errors.push(missing);
  if (errors.length > 0) throw HttpProblem.invalid(errors.slice(0, maxErrorsListed));
  const values = [...fields].map(([name, given]) => [name, given.length === 1 ? given[0] : given]);
  return Object.fromEntries(values);
}

const missing: FieldError = { pointer: `/${filePart}`, message: 'is required' };

async function receive(ctx: Context, receiving: Parameters<typeof receiveForm>[1]): Promise<ReceivedForm> {
  try {
    return await receiveForm(ctx.req, receiving);
  } catch (error) {
    letGo(ctx, error instanceof TooManyParts);
    throw error;
  }
}

/**
 * Discards the rest of a body, so that the connection can be used again. For megabytes of tiny parts this is too
 * expensive: reading stops, and the connection is closed after the answer.
 */
function letGo({ req, res }: Context, hasTooManyParts: boolean): void {
  const bytes = Number(req.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (!hasTooManyParts || bytes <= maxLetGo) {
    req.resume();
    return;
  }
  req.pause();
  res.shouldKeepAlive = false;
  res.once('finish', () => req.socket.destroySoon());
}
