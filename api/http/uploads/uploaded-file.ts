/** What a route takes as the part `file` of its body. */
export interface FileDeclaration {
  /** A larger file is refused: before anything is read where Content-Length tells, while reading otherwise. */
  maxBytes: number;
  description: string;
}

/** A file that came with a request. It is there until the request is answered, and nobody else's business. */
export interface UploadedFile {
  /** Where it lies on this machine's disk. */
  path: string;
  bytes: number;
  /** As the sender calls it; null where it does not say. Never a path to write to. */
  name: string | null;
}

/** The bound of CSV files (specification, limits: 10 MB). */
export const csvFile: FileDeclaration = {
  maxBytes: 10 * 1_048_576,
  description: 'CSV (UTF-8, with a header), 10 MB at most',
};
