import { helpOption, parseArguments } from '../arguments.js';

export const commands = `  <number>     opens a chat of the lists, and claims it if it waits
  <text>       is sent to the member of the open chat; “//text” is sent as “/text”
  /back        gives the open chat back to the agent
  /list        shows the lists again
  /help        shows these commands
  /quit        ends`;

export const usage = `Usage: npm run desk

Shows the chats of the demo workspace that wait for a person, and those that colleagues have, on the system that npm start
has started. You answer as a colleague:

${commands}

  -h, --help   shows this text`;

/** @throws UsageError */
export function readDeskOptions(args: readonly string[]): { help: true } | { desk: true } {
  const { help } = parseArguments({ args: [...args], options: { help: helpOption } }).values;
  return help === true ? { help } : { desk: true };
}
