import { CrashedApart, readApart } from '../kernel/read-apart.js';
import type { ExtractorLine, RefusalReason, TextPage } from './extract/lines.js';

export interface ExtractionLimits {
  /** For one page. */
  pageMs: number;
  /** For the whole file. */
  wholeMs: number;
  memoryMb: number;
  outputBytes: number;
}

/** On an idle machine, a page of a PDF takes 4 ms; 10,000 pages take 215 MB. */
export const extractionLimits: ExtractionLimits = {
  pageMs: 60_000,
  wholeMs: 15 * 60_000,
  memoryMb: 512,
  outputBytes: 64 * 1024 * 1024,
};

/** The file cannot be read, now or later. */
export class ExtractionRefused extends Error {
  constructor(readonly reason: RefusalReason) {
    super(`The text cannot be read: ${reason}.`);
  }
}

/** The process ended before the file did. */
export { CrashedApart as ExtractionCrashed };

interface Extraction {
  path: string;
  mimeType: string;
  fromPage: number;
  limits?: ExtractionLimits;
  signal?: AbortSignal;
}

/** Returns the pages of a file as a process of its own reads them. @throws ExtractionRefused, ExtractionCrashed */
export async function* extractText(extraction: Extraction): AsyncGenerator<TextPage> {
  const { path, mimeType, fromPage, signal } = extraction;
  const { pageMs: lineMs, ...limits } = extraction.limits ?? extractionLimits;
  const lines = readApart<ExtractorLine>({
    program: new URL('./extract/main', import.meta.url),
    args: [path, mimeType, String(fromPage)],
    limits: { ...limits, lineMs },
    signal,
  });
  for await (const line of lines) {
    if ('finished' in line) return;
    if ('refused' in line) throw new ExtractionRefused(line.refused);
    yield line;
  }
}
