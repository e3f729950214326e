import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/**
 * Creates the process's log: JSON lines on stdout. Logs contain ids, codes and counts, never text written by a person.
 */
export function createLogger(options: { level: string; process: 'api' | 'worker' }): Logger {
  return pino({ level: options.level, base: { process: options.process } });
}
