import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import type { FieldError } from '../../../domain/lib/errors.js';
import { pointerSegment } from '../validation/field-errors.js';
import { feedForm } from './feed-form.js';
import { malformed, maxFieldBytes, maxFields, maxParts, TooManyParts, tooLarge } from './form-problems.js';

/** The part that holds the file; all others are text fields. */
export const filePart = 'file';

const maxHeaderBytes = 16_384;

/** Encodings in which the bytes of a part are the content. RFC 7578, section 4.7, deprecates all others. */
const plainEncodings = new Set(['7bit', '8bit', 'binary']);

export interface FormReceiving {
  maxBytes: number;
  /** Stores the bytes of the file as they come. Its failure is that of the form. */
  store: (bytes: Readable, name: string | null) => Promise<void>;
}

export interface ReceivedForm {
  /** Each field with all its values. */
  fields: Map<string, string[]>;
  /** Parts that have no place in the form. */
  errors: FieldError[];
}

/**
 * Receives a body of `multipart/form-data` (RFC 7578), and has its file stored. When it fails, the file is no longer
 * being stored, and what is left of the body is not read.
 * @throws HttpProblem 400 for a body that cannot be parsed, 413 for one that is too large, and what `store` throws
 */
export async function receiveForm(
  body: IncomingMessage,
  { maxBytes, store }: FormReceiving,
): Promise<ReceivedForm> {
  const received: ReceivedForm = { fields: new Map(), errors: [] };
  const failing = new AbortController();
  // The first failure is the cause of all others.
  const fail = (error: unknown) => failing.abort(error);
  const form = openForm(body.headers, maxBytes);
  let storing: Promise<void> | undefined;
  let fieldBytes = 0;
  let files = 0;

  form.on('error', () => fail(malformed()));
  form.on('partsLimit', () => fail(new TooManyParts()));
  form.on('fieldsLimit', () => fail(tooLarge(maxBytes)));
  form.on('field', (given, value, _nameIsCut, isCut, encoding) => {
    fieldBytes += Buffer.byteLength(value);
    if (isCut || fieldBytes > maxFieldBytes) return fail(tooLarge(maxBytes));
    if (!plainEncodings.has(encoding)) return fail(malformed());
    const name = given ?? '';
    received.fields.set(name, [...(received.fields.get(name) ?? []), value]);
  });
  form.on('file', (given, bytes, filename: string | undefined, encoding) => {
    // A body that is cut reports its error here as well.
    bytes.on('error', () => {});
    const name = given ?? '';
    const fault = name === filePart ? 'must be one file' : 'must not be a file';
    if (name === filePart) files += 1;
    if (name !== filePart || files === 2)
      received.errors.push({ pointer: pointerSegment(name), message: fault });
    if (!plainEncodings.has(encoding)) fail(malformed());
    if (name !== filePart || files > 1 || failing.signal.aborted) return bytes.resume();
    bytes.once('limit', () => fail(tooLarge(maxBytes)));
    failing.signal.addEventListener('abort', () => bytes.destroy(failing.signal.reason));
    storing = store(bytes, filename?.replaceAll('%22', '"') ?? null).catch(fail);
  });

  await feedForm(body, form, { signal: failing.signal, fail, maxBytes });
  await storing;
  failing.signal.throwIfAborted();
  return received;
}

function openForm(headers: IncomingHttpHeaders, fileSize: number): BusboyInstance {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      // The file is recognised by the name of its part: clients differ in which parts get a media type or a file name.
      isPartAFile: (name, _type, filename) => name === filePart || filename !== undefined,
      preservePath: true,
      // One piece of the file at a time: several that wait would be copied into one.
      fileHwm: 1,
      limits: {
        fileSize,
        fields: maxFields,
        fieldSize: maxFieldBytes,
        parts: maxParts,
        headerSize: maxHeaderBytes,
      },
    });
  } catch {
    // The boundary is missing or too long.
    throw malformed();
  }
}
