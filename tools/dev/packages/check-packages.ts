import { readFile } from 'node:fs/promises';
import { type PackageLock, packageFaults } from './package-faults.js';

async function read<Content>(name: string): Promise<Content> {
  return JSON.parse(await readFile(new URL(`../../../${name}`, import.meta.url), 'utf8')) as Content;
}

const lock = await read<PackageLock>('package-lock.json');
const { allowScripts } = await read<{ allowScripts: Record<string, boolean> }>('package.json');
const faults = packageFaults(lock, allowScripts);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
