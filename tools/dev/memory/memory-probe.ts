import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../provision/ports.js';

export type MemoryProbe = Awaited<ReturnType<typeof memoryProbe>>;

/** Reads the memory of one process, started with `extras`, after a garbage collection. */
export async function memoryProbe() {
  const port = String(await freePort());
  const preload = fileURLToPath(new URL('./tell-memory.mjs', import.meta.url));
  const extras = {
    nodeArgs: ['--expose-gc', '--import', preload],
    env: { MEMORY_PORT: port },
  };
  return {
    extras,
    async read() {
      const response = await fetch(`http://127.0.0.1:${port}`);
      return (await response.json()) as NodeJS.MemoryUsage;
    },
  };
}

/** The resident memory of a process in megabytes, read from `/proc` (Linux only). */
export function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kilobytes === undefined) throw new Error(`process ${pid} does not tell its memory`);
  return Number(kilobytes) / 1_024;
}
