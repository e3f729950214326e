import type { ByteSource } from '../../../domain/files/object-store.js';
import type { ByteRange } from './byte-range.js';

/** An answer with the bytes of a stored file. Ranges, conditions and HEAD follow from it. */
export interface FileAnswerDeclaration {
  status: 200;
  file: true;
  description: string;
  schema?: never;
  events?: never;
  stream?: never;
  redirect?: never;
}

/** The result of a handler that serves a file. It is made without reading the bytes and holds no transaction open. */
export interface ServedFile {
  bytes: number;
  /** Hexadecimal: the ETag, so equal bytes have equal tags in every process. */
  sha256: string;
  mimeType: string;
  filename: string;
  /** Types that browsers could run or that need a viewer are an attachment in any case (`fileHeaders`). */
  disposition: 'inline' | 'attachment';
  /**
   * Opens the bytes; they are always read to their end or destroyed, and each piece is sent before the next is asked
   * for. Not called for HEAD, 304 and empty files.
   */
  open(range: ByteRange | undefined): Promise<ByteSource>;
  /** How long a browser may use its copy without asking; otherwise it asks each time. */
  freshSeconds?: number;
  /** Pages of other origins may show the file, because its address or its access allows anyone to read it. */
  embeddable?: boolean;
}
