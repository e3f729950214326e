import { parseArgs } from 'node:util';
import { UsageError } from '../demo/options.js';

export const usage = `Usage: npm run desk

Shows the chats of the demo workspace that wait for a person, on the system that npm start has started. You answer as a
colleague:

  <number>     opens a chat of the list and claims it
  <text>       is sent to the member of the open chat
  /back        gives the open chat back to the agent
  /list        shows the list again
  /quit        ends

  -h, --help   shows this text`;

/** @throws UsageError */
export function readDeskOptions(args: readonly string[]): { help: true } | { desk: true } {
  try {
    const options = { help: { type: 'boolean', short: 'h' } } as const;
    const { help } = parseArgs({ args: [...args], options }).values;
    return help === true ? { help } : { desk: true };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
