import { type ParseArgsConfig, parseArgs } from 'node:util';

/** An argument is unknown, or its value is. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** `parseArgs` of Node. @throws UsageError */
export function parseArguments<Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

export const helpOption = { type: 'boolean', short: 'h' } as const;
