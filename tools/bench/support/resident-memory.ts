import { readFileSync } from 'node:fs';

/** What a process has in memory, in megabytes. Linux tells it in `/proc`. */
export function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kilobytes === undefined) throw new Error(`process ${pid} does not tell its memory`);
  return Number(kilobytes) / 1_024;
}
