import { helpOption, parseArguments, UsageError } from '../arguments.js';

export const channels = ['sms', 'web-chat', 'email', 'voice'] as const;
export type DemoChannel = (typeof channels)[number];

const named = `${channels.slice(0, -1).join(', ')} or ${channels.at(-1)}`;

export const usage = `Usage: npm run demo -- [--channel <channel> | --handoff | --mcp]

Walks a new member through the clinic's intake, on the system that npm start has started.

  --channel <channel>   ${named}; default: ${channels[0]}
  --handoff             in a web chat that a colleague answers and gives back to the agent
  --mcp                 by an AI client, with the tools of the MCP endpoint
  -h, --help            shows this text`;

/** What is shown: a walk on a channel, one with a colleague, or one by an AI client. */
export type DemoKind = DemoChannel | 'handoff' | 'mcp';

/** @throws UsageError */
export function readDemoOptions(args: readonly string[]): { help: true } | { kind: DemoKind } {
  const options = {
    channel: { type: 'string' },
    handoff: { type: 'boolean' },
    mcp: { type: 'boolean' },
    help: helpOption,
  } as const;
  const { channel, handoff, mcp, help } = parseArguments({ args: [...args], options }).values;
  if (help === true) return { help };
  const own = handoff === true ? 'handoff' : mcp === true ? 'mcp' : undefined;
  if (own !== undefined && (channel !== undefined || (handoff && mcp)))
    throw new UsageError(`--${own} is a demo of its own: it goes with no other option.`);
  if (own !== undefined) return { kind: own };
  const chosen = channels.find((one) => one === (channel ?? channels[0]));
  if (chosen !== undefined) return { kind: chosen };
  throw new UsageError(`--channel must be ${named}, not “${channel}”.`);
}
