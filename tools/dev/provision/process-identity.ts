import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * The command line of a running process, with which a process id that was written down is recognised: ids
 * are given out again. Undefined when there is no such process, or only what is left of a dead one.
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

/** Read from the kernel, because small images come without `ps`. A zombie has an empty command line. */
function commandLineFromProc(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Whether the process is there and doing something; a zombie is not. */
export function isRunning(pid: number): boolean {
  return commandLineOf(pid) !== undefined;
}
