import contentDisposition from 'content-disposition';
import { filenameOf } from '../../../domain/files/filename.js';
import type { ServedFile } from './served-file.js';

/** What browsers show without a viewer and without running anything in it. All other types are attachments. */
const shownInline: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'audio/mpeg',
  'audio/mp4',
  'audio/wav',
  'video/mp4',
  'text/plain',
]);

/** Nothing runs, loads or is framed; `self` and styles let a browser show a picture, a sound or a film by itself. */
const policy =
  "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

const mimeForm = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/;

/** The strong ETag of a file. Only a strong one lets a download be continued (RFC 9110, section 13.1.5). */
export function fileTag({ sha256 }: Pick<ServedFile, 'sha256'>): string {
  return `"${sha256}"`;
}

/** The headers of an answer that has a file's ETag, with or without its bytes. */
export function validatorHeaders(file: ServedFile): Record<string, string> {
  const { freshSeconds = 0 } = file;
  return {
    ETag: fileTag(file),
    'Cache-Control': freshSeconds > 0 ? `private, max-age=${freshSeconds}` : 'private, no-cache',
  };
}

/** What a file is served as: types that a browser could run, or that need a viewer, are an attachment in any case. */
export function appearanceOf(file: Pick<ServedFile, 'mimeType' | 'disposition'>): {
  disposition: ServedFile['disposition'];
  contentType: string;
} {
  const mimeType = mimeForm.test(file.mimeType) ? file.mimeType : 'application/octet-stream';
  return {
    disposition: shownInline.has(mimeType) ? file.disposition : 'attachment',
    // Texts are UTF-8, or they are not taken for texts.
    contentType: mimeType.startsWith('text/') ? `${mimeType}; charset=utf-8` : mimeType,
  };
}

/**
 * The headers of a file's bytes. They come from whoever uploaded them and must never run in the service's origin: the
 * policy is a sandbox, and what could run is an attachment, whatever the handler wishes.
 */
export function fileHeaders(file: ServedFile): Record<string, string> {
  const { disposition, contentType } = appearanceOf(file);
  return {
    ...validatorHeaders(file),
    'Accept-Ranges': 'bytes',
    'Content-Type': contentType,
    'Content-Disposition': contentDisposition(filenameOf(file.filename), { type: disposition }),
    'Content-Security-Policy': policy,
    ...(file.embeddable && { 'Cross-Origin-Resource-Policy': 'cross-origin' }),
  };
}
