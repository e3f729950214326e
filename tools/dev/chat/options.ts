import { helpOption, parseArguments, UsageError } from '../arguments.js';

export const usage = `Usage: npm run chat -- <workflow>

Begins a workflow of the demo workspace with a new member in a web chat, on the system that npm start has started. What
you type is what the member writes; "/go <task>" enters a task of this name as an operator, which lets a wait pass.

  <workflow>   its id or its name
  -h, --help   shows this text`;

/** @throws UsageError */
export function readChatOptions(args: readonly string[]): { help: true } | { workflow: string } {
  const { values, positionals } = parseArguments({
    args: [...args],
    options: { help: helpOption },
    allowPositionals: true,
  });
  if (values.help === true) return { help: true };
  const [workflow, ...more] = positionals;
  if (workflow === undefined) throw new UsageError('A workflow is missing.');
  if (more.length > 0) throw new UsageError(`“${more[0]}” is one argument too many: put a name into quotes.`);
  return { workflow };
}
