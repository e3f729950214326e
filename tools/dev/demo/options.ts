import { parseArgs } from 'node:util';

export const channels = ['sms', 'web-chat'] as const;
export type DemoChannel = (typeof channels)[number];

export const usage = `Usage: npm run demo -- [--channel <channel>]

Walks a new member through the clinic's intake, on the system that npm start has started.

  --channel <channel>   ${channels.join(' or ')}; default: ${channels[0]}
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
  throw new UsageError(`--channel must be ${channels.join(' or ')}, not “${channel}”.`);
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
