import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export interface ApartLimits {
  /** For one line. */
  lineMs: number;
  wholeMs: number;
  memoryMb: number;
  outputBytes: number;
}

export type CrashReason = 'time' | 'memory' | 'output' | 'crashed';

/** The process has ended before its reader was content, by itself or because of a limit. It may be the machine's fault. */
export class CrashedApart extends Error {
  constructor(readonly reason: CrashReason) {
    super(`The process that reads a file has ended: ${reason}.`);
  }
}

interface Apart {
  /** The program without its extension. */
  program: URL;
  args: readonly string[];
  limits: ApartLimits;
  signal?: AbortSignal | undefined;
}

/**
 * Returns what a process of its own writes, line by line of JSON, for what others have sent: it can make its readers use
 * any time and memory. The process has no environment, and a heap limit, but buffers are outside the heap: so its memory
 * is looked at, on Linux, and it is killed when it exceeds a limit. It is killed when no more lines are asked for.
 * @throws CrashedApart when there are no more lines
 */
export async function* readApart<Line>({ program, args, limits, signal }: Apart): AsyncGenerator<Line> {
  signal?.throwIfAborted();
  const child = start(program, args, limits);
  const closed = new Promise((resolve) => child.on('close', resolve));
  let ended: CrashReason | undefined;
  const end = (reason: CrashReason) => {
    ended ??= reason;
    child.kill('SIGKILL');
  };
  const stop = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', stop);
  const whole = setTimeout(() => end('time'), limits.wholeMs);
  const memory = setInterval(() => {
    void memoryMbOf(child).then((mb) => mb > limits.memoryMb && end('memory'));
  }, memoryCheckMs);
  try {
    const pieces = within(limits, child.stdout.setEncoding('utf8'), end);
    for await (const text of linesOf(pieces)) {
      if (ended !== undefined) break;
      yield JSON.parse(text) as Line;
    }
    signal?.throwIfAborted();
    throw new CrashedApart(ended ?? 'crashed');
  } finally {
    clearTimeout(whole);
    clearInterval(memory);
    signal?.removeEventListener('abort', stop);
    child.kill('SIGKILL');
    // A process has not closed while something that it wrote is unread.
    child.stdout.destroy();
    await closed;
  }
}

const memoryCheckMs = 100;

function start(program: URL, args: readonly string[], limits: ApartLimits) {
  const isCompiled = import.meta.url.endsWith('.js');
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${Math.floor(limits.memoryMb / 2)}`,
      ...(isCompiled ? [] : ['--import', 'tsx']),
      `${fileURLToPath(program)}.${isCompiled ? 'js' : 'ts'}`,
      ...args,
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
  limits: ApartLimits,
  stream: Readable,
  end: (reason: CrashReason) => void,
): AsyncGenerator<string> {
  const pieces = stream[Symbol.asyncIterator]();
  for (let bytes = 0; bytes <= limits.outputBytes; ) {
    const timer = setTimeout(() => end('time'), limits.lineMs);
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
