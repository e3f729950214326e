import { join, resolve } from 'node:path';
import { installPythonTools } from '../support/python-tools.js';
import { runProgram } from '../support/run-program.js';

/** The environment in which Python finds the client. */
export const pythonPath = { PYTHONPATH: resolve('clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' };

/** Runs a Python program to its end. Returns what it printed. @throws if it fails */
export async function runPython(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const python = join(await installPythonTools(), 'python');
  const { code, output } = await runProgram(python, [file, ...args], { env: { ...pythonPath, ...env } });
  if (code !== 0) throw new Error(`${file} failed: ${output}`);
  return output;
}
