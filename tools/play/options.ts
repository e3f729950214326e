import { helpOption, parseArguments, UsageError } from '../dev/arguments.js';

export const usage = `Usage: npm run play -- <file or folder>

Plays a workflow that is a file, by the rules of the service, with nothing else running: docs/simulation.md.

  <file>       a workflow, JSON or YAML: you play the member, the agent and the time
               *.walks.yaml or *.walks.json: checks the walks that it expects
  <folder>     checks the files of walks in it
  -h, --help   shows this text`;

/** @throws UsageError */
export function readPlayOptions(args: readonly string[]): { help: true } | { path: string } {
  const { values, positionals } = parseArguments({
    args: [...args],
    options: { help: helpOption },
    allowPositionals: true,
  });
  if (values.help === true) return { help: true };
  const [path, ...more] = positionals;
  if (path === undefined) throw new UsageError('A file or a folder is missing.');
  if (more.length > 0) throw new UsageError(`“${more[0]}” is one argument too many.`);
  return { path };
}
