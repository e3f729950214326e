import { fileURLToPath } from 'node:url';
import { freePort } from '../../dev/provision/ports.js';
import type { ProgramExtras } from '../stage/processes.js';

/** The start options that let a program report its memory. */
export interface MemoryProbe {
  extras: ProgramExtras;
  read(): Promise<NodeJS.MemoryUsage>;
}

/** Reads the memory of one process after a garbage collection. */
export async function memoryProbe(): Promise<MemoryProbe> {
  const port = String(await freePort());
  const preload = fileURLToPath(new URL('./tell-memory.mjs', import.meta.url));
  return {
    extras: { nodeArgs: ['--expose-gc', '--import', preload], env: { MEMORY_PORT: port } },
    async read() {
      const response = await fetch(`http://127.0.0.1:${port}`);
      return (await response.json()) as NodeJS.MemoryUsage;
    },
  };
}
