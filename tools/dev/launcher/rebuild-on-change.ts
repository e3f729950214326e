import { execFile } from 'node:child_process';
import { watch } from 'node:fs';

interface Rebuilding {
  folders: readonly string[];
  build: { command: string; args: readonly string[]; cwd: string };
  restart: () => Promise<void>;
  print: (sentence: string) => void;
}

/** An editor or a checkout writes several files at once. */
const settleMs = 100;

/**
 * `npm run dev`: compiles when a TypeScript file changes, then restarts. An error of the code is printed and ends
 * nothing: what runs goes on until the code compiles again.
 * @returns a function that stops watching and ends a running build
 */
export function rebuildOnChange({ folders, build, restart, print }: Rebuilding): () => void {
  const closing = new AbortController();
  const { signal } = closing;
  let timer: NodeJS.Timeout | undefined;
  let changed = false;
  let working = false;

  const work = async (): Promise<void> => {
    changed = true;
    if (working) return;
    working = true;
    while (changed && !signal.aborted) {
      changed = false;
      await rebuild().catch((error: Error) => signal.aborted || print(error.message));
    }
    working = false;
  };
  const rebuild = async (): Promise<void> => {
    const output = await run(build, signal);
    if (signal.aborted) return;
    if (output === undefined) await restart();
    else print(`The code does not compile, so what runs is unchanged:\n${output}`);
  };
  for (const folder of folders) {
    watch(folder, { recursive: true, signal }, (_event, file) => {
      if (!file?.endsWith('.ts')) return;
      clearTimeout(timer);
      timer = setTimeout(() => void work(), settleMs);
    });
  }
  signal.addEventListener('abort', () => clearTimeout(timer));
  return () => closing.abort();
}

/** @returns what a command that failed has printed; undefined for one that succeeded */
function run({ command, args, cwd }: Rebuilding['build'], signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, signal }, (error, stdout, stderr) =>
      resolve(error === null ? undefined : `${stdout}${stderr}`.trim() || error.message),
    );
  });
}
