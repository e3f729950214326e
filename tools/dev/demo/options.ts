import { parseArgs } from 'node:util';

export const channels = ['sms', 'web-chat', 'email', 'voice'] as const;
export type DemoChannel = (typeof channels)[number];

const named = `${channels.slice(0, -1).join(', ')} or ${channels.at(-1)}`;

export const usage = `Usage: npm run demo -- [--channel <channel> | --mcp]

Walks a new member through the clinic's intake, on the system that npm start has started.

  --channel <channel>   ${named}; default: ${channels[0]}
  --mcp                 by an AI client, with the tools of the MCP endpoint
  -h, --help            shows this text`;

/** An argument is unknown, or its value is. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What is shown: a walk on a channel, or one by an AI client. */
export type DemoKind = DemoChannel | 'mcp';

/** @throws UsageError */
export function readDemoOptions(args: readonly string[]): { help: true } | { kind: DemoKind } {
  const { channel, mcp, help } = parse([...args]);
  if (help === true) return { help };
  if (mcp === true && channel !== undefined)
    throw new UsageError('--mcp is a demo of its own: it has no --channel.');
  if (mcp === true) return { kind: 'mcp' };
  const chosen = channels.find((one) => one === (channel ?? channels[0]));
  if (chosen !== undefined) return { kind: chosen };
  throw new UsageError(`--channel must be ${named}, not “${channel}”.`);
}

function parse(args: string[]) {
  try {
    const options = {
      channel: { type: 'string' },
      mcp: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    } as const;
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
