import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
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

export type CrashReason = 'time' | 'memory' | 'output' | 'crashed';

/** The file cannot be read, now or later. */
export class ExtractionRefused extends Error {
  constructor(readonly reason: RefusalReason) {
    super(`The text cannot be read: ${reason}.`);
  }
}

/** The process ended before the file did, by itself or because of a limit. It may be the machine's fault. */
export class ExtractionCrashed extends Error {
  constructor(readonly reason: CrashReason) {
    super(`The process that reads the text has ended: ${reason}.`);
  }
}

interface Extraction {
  path: string;
  mimeType: string;
  fromPage: number;
  limits?: ExtractionLimits;
  signal?: AbortSignal;
}

/**
 * Returns the pages of a file as a process of its own reads them. The process has no environment, and a heap limit, but
 * buffers are outside the heap: so its memory is looked at, on Linux, and it is killed when it exceeds a limit.
 */
export async function* extractText(extraction: Extraction): AsyncGenerator<TextPage> {
  const limits = extraction.limits ?? extractionLimits;
  extraction.signal?.throwIfAborted();
  const child = startExtractor(extraction, limits);
  const closed = new Promise((resolve) => child.on('close', resolve));
  let ended: CrashReason | undefined;
  const end = (reason: CrashReason) => {
    ended ??= reason;
    child.kill('SIGKILL');
  };
  const stop = () => child.kill('SIGKILL');
  extraction.signal?.addEventListener('abort', stop);
  const whole = setTimeout(() => end('time'), limits.wholeMs);
  const memory = setInterval(() => {
    void memoryMbOf(child).then((mb) => mb > limits.memoryMb && end('memory'));
  }, memoryLookMs);
  try {
    const pieces = within(limits, child.stdout.setEncoding('utf8'), end);
    for await (const text of linesOf(pieces)) {
      if (ended !== undefined) break;
      const line = JSON.parse(text) as ExtractorLine;
      if ('finished' in line) return;
      if ('refused' in line) throw new ExtractionRefused(line.refused);
      yield line;
    }
    extraction.signal?.throwIfAborted();
    throw new ExtractionCrashed(ended ?? 'crashed');
  } finally {
    clearTimeout(whole);
    clearInterval(memory);
    extraction.signal?.removeEventListener('abort', stop);
    child.kill('SIGKILL');
    // A process has not closed while something that it wrote is unread.
    child.stdout.destroy();
    await closed;
  }
}

const memoryLookMs = 100;

function startExtractor({ path, mimeType, fromPage }: Extraction, limits: ExtractionLimits) {
  const isCompiled = import.meta.url.endsWith('.js');
  const program = fileURLToPath(new URL(`./extract/main.${isCompiled ? 'js' : 'ts'}`, import.meta.url));
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${Math.floor(limits.memoryMb / 2)}`,
      ...(isCompiled ? [] : ['--import', 'tsx']),
      program,
      path,
      mimeType,
      String(fromPage),
    ],
    // Its errors may quote the file.
    { stdio: ['ignore', 'pipe', 'ignore'], env: {} },
  );
  child.on('error', () => {});
  try {
    // Requests and turns come first.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already.
  }
  return child;
}

/** 0 where the system does not tell. */
async function memoryMbOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}

/** Ends when a piece does not come in time, or when there are more than allowed. Only the waiting for a piece counts. */
async function* within(
  limits: ExtractionLimits,
  stream: Readable,
  end: (reason: CrashReason) => void,
): AsyncGenerator<string> {
  const pieces = stream[Symbol.asyncIterator]();
  for (let bytes = 0; bytes <= limits.outputBytes; ) {
    const timer = setTimeout(() => end('time'), limits.pageMs);
    const { done, value } = await pieces.next().finally(() => clearTimeout(timer));
    if (done === true) return;
    bytes += value.length;
    yield value;
  }
  end('output');
}

async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
