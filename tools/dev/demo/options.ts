import { parseArgs } from 'node:util';

export const channels = ['sms', 'web-chat', 'email', 'voice'] as const;
export type DemoChannel = (typeof channels)[number];

const named = `${channels.slice(0, -1).join(', ')} or ${channels.at(-1)}`;

export const usage = `Usage: npm run demo -- [--channel <channel>]

Walks a new member through the clinic's intake, on the system that npm start has started.

  --channel <channel>   ${named}; default: ${channels[0]}
  -h, --help            shows this text`;

/** An argument is unknown, or its value is. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @throws UsageError */
export function readDemoOptions(args: readonly string[]): { help: true } | { channel: DemoChannel } {
  const { channel, help } = parse([...args]);
  if (help === true) return { help };
  const chosen = channels.find((one) => one === channel);
  if (chosen !== undefined) return { channel: chosen };
  throw new UsageError(`--channel must be ${named}, not “${channel}”.`);
}

function parse(args: string[]) {
  try {
    const options = {
      channel: { type: 'string', default: channels[0] },
      help: { type: 'boolean', short: 'h' },
    } as const;
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
