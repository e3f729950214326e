import { parseArgs } from 'node:util';
import { UsageError } from '../dev/demo/options.js';

export const usage = `Usage: npm run play -- <file or folder>

Plays a workflow that is a file, by the rules of the service, with nothing else running: docs/simulation.md.

  <file>       a workflow, JSON or YAML: you play the member, the agent and the time
               *.walks.yaml or *.walks.json: checks the walks that it expects
  <folder>     checks the files of walks in it
  -h, --help   shows this text`;

/** @throws UsageError */
export function readPlayOptions(args: readonly string[]): { help: true } | { path: string } {
  const { values, positionals } = parse([...args]);
  if (values.help === true) return { help: true };
  const [path, ...more] = positionals;
  if (path === undefined) throw new UsageError('A file or a folder is missing.');
  if (more.length > 0) throw new UsageError(`“${more[0]}” is one argument too many.`);
  return { path };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: { help: { type: 'boolean', short: 'h' } }, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
