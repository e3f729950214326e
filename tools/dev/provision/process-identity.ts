import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * The command line of a running process. It identifies the process of a saved id, because the system reuses ids.
 * Undefined if there is no such process or if it is a zombie.
 */
export function commandLineOf(pid: number): string | undefined {
  if (process.platform === 'linux') return commandLineFromProc(pid);
  try {
    const [state, ...words] = execFileSync('ps', ['-p', String(pid), '-o', 'state=,command='], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .trim()
      .split(/\s+/);
    return state === undefined || state.startsWith('Z') ? undefined : words.join(' ');
  } catch {
    return undefined;
  }
}

/** Reads `/proc`, because small container images have no `ps`. The command line of a zombie is empty. */
function commandLineFromProc(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Whether the process exists and is not a zombie. */
export function isRunning(pid: number): boolean {
  return commandLineOf(pid) !== undefined;
}
