/** The upload that a route accepts as the part `file` of its body. */
export interface FileDeclaration {
  /** A larger file is refused: before reading if Content-Length shows the size, otherwise while reading. */
  maxBytes: number;
  description: string;
}

/** An uploaded file. It exists until the request is answered, and only this request may use it. */
export interface UploadedFile {
  /** Its path on the local disk. */
  path: string;
  bytes: number;
  /** The sender's file name; null if there is none. Never use it as a path to write to. */
  name: string | null;
}

/** The limit of CSV files (specification, limits: 10 MB). */
export const csvFile: FileDeclaration = {
  maxBytes: 10 * 1_048_576,
  description: 'CSV (UTF-8, with a header), 10 MB at most',
};
