import { readFileSync } from 'node:fs';

/** The resident memory of a process in megabytes, read from `/proc` (Linux only). */
export function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kilobytes === undefined) throw new Error(`process ${pid} does not tell its memory`);
  return Number(kilobytes) / 1_024;
}
