import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { waitUntil } from '../../../runtime/wait-until.js';

/** Saves the id and command line of a process, so that a later start can recognise it even if the id was reused. */
export function writePidFile(file: string, pid: number): void {
  writeFileSync(file, JSON.stringify({ pid, commandLine: commandLineOf(pid) }), { mode: 0o600 });
}

/** Removes the file of a process that has ended, unless the file already names another process. */
export function removePidFile(file: string, pid: number): void {
  if (read(file)?.pid === pid) rmSync(file, { force: true });
}

/** Returns the id in the file if that same process is still running. */
export function runningPid(file: string): number | undefined {
  const { pid, commandLine } = read(file) ?? {};
  return pid !== undefined && commandLineOf(pid) === commandLine ? pid : undefined;
}

function read(file: string): { pid: number; commandLine: string } | undefined {
  try {
    const { pid, commandLine } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    return typeof pid === 'number' && typeof commandLine === 'string' ? { pid, commandLine } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Ends a process that a killed launcher left running and removes its PID file. Checks the command line first, so
 * that an unrelated process with the same id is left alone. Sends `signal`, then SIGKILL after `graceMs`.
 * @returns whether such a process was running
 */
export async function endLeftover(
  file: string,
  { signal = 'SIGTERM' as NodeJS.Signals, graceMs = 15_000 } = {},
): Promise<boolean> {
  const pid = runningPid(file);
  if (pid !== undefined) await endProcess(pid, { signal, graceMs });
  rmSync(file, { force: true });
  return pid !== undefined;
}

/** Sends `signal`, then SIGKILL after `graceMs`, and waits until the process is gone. */
export async function endProcess(
  pid: number,
  { signal, graceMs }: { signal: NodeJS.Signals; graceMs: number },
): Promise<void> {
  const gone = () => !isRunning(pid);
  send(pid, signal);
  if (await waitUntil(gone, { withinMs: graceMs })) return;
  send(pid, 'SIGKILL');
  await waitUntil(gone, { withinMs: 5_000 });
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * The command line of a running process. It identifies the process of a saved id, because the system reuses ids.
 * Undefined if there is no such process or if it is a zombie.
 */
export function commandLineOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      // Small container images have no `ps`. The command line of a zombie is empty.
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim() || undefined;
    }
    const [state, ...words] = outputOf('ps', '-p', String(pid), '-o', 'state=,command=').split(/\s+/);
    return state === undefined || state.startsWith('Z') ? undefined : words.join(' ');
  } catch {
    return undefined;
  }
}

/** What a program prints; its errors are dropped. @throws Error if it fails */
export function outputOf(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

/** Whether the process exists and is not a zombie. */
export function isRunning(pid: number): boolean {
  return commandLineOf(pid) !== undefined;
}
