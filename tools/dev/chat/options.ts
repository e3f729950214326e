import { parseArgs } from 'node:util';
import { UsageError } from '../demo/options.js';

export const usage = `Usage: npm run chat -- <workflow>

Begins a workflow of the demo workspace with a new member in a web chat, on the system that npm start has started. What
you type is what the member writes; "/go <task>" enters a task of this name as an operator, which lets a wait pass.

  <workflow>   its id or its name
  -h, --help   shows this text`;

/** @throws UsageError */
export function readChatOptions(args: readonly string[]): { help: true } | { workflow: string } {
  const { values, positionals } = parse([...args]);
  if (values.help === true) return { help: true };
  const [workflow, ...more] = positionals;
  if (workflow === undefined) throw new UsageError('A workflow is missing.');
  if (more.length > 0) throw new UsageError(`“${more[0]}” is one argument too many: put a name into quotes.`);
  return { workflow };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: { help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
