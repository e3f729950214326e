import { type ExecFileOptions, execFile } from 'node:child_process';
import { projectFolder } from './markdown.js';

export interface Outcome {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end, whatever that is. */
export function run(
  command: string,
  args: readonly string[],
  options: ExecFileOptions = {},
): Promise<Outcome> {
  const withDefaults = { timeout: 300_000, maxBuffer: 64 * 1024 * 1024, ...options };
  return new Promise((resolve) => {
    execFile(command, args, withDefaults, (error, stdout, stderr) => {
      const exitCode = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1;
      resolve({ exitCode, stdout: String(stdout), stderr: String(stderr) });
    });
  });
}

/** What a block of the README did. */
export interface BlockOutcome {
  code: string;
  exitCode: number;
  output: string;
  /** HTTP status of each curl, in order. */
  statuses: number[];
}

const mark = '-- end of block';

/**
 * Runs blocks one after the other in one shell, as somebody who copies them. `curl` also says which status it was
 * answered with. The data folder is not in the project's folder, in which `npm` runs.
 */
export async function runBlocks(
  blocks: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<BlockOutcome[]> {
  const script = [
    `curl() { command curl "$@" --write-out '\\n%{stderr}%{http_code}\\n'; }`,
    `npm() { (cd '${projectFolder}' && command npm "$@"); }`,
    ...blocks.map((code) => `${code}\necho; echo "${mark} $?"; echo "${mark}" >&2`),
  ].join('\n');
  const { stdout, stderr } = await run('bash', ['-c', script], options);

  const outputs = [...stdout.matchAll(new RegExp(`([\\s\\S]*?)\\n${mark} (\\d+)\\n`, 'g'))];
  const asides = stderr.split(`${mark}\n`);
  if (outputs.length !== blocks.length) throw new Error(`the shell stopped midway: ${stdout}${stderr}`);
  return blocks.map((code, index) => ({
    code,
    output: outputs[index]?.[1]?.trim() ?? '',
    exitCode: Number(outputs[index]?.[2]),
    statuses: [...(asides[index] ?? '').matchAll(/^(\d{3})$/gm)].map(([, status]) => Number(status)),
  }));
}
