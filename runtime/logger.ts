import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** The process's log: JSON lines on stdout. What is logged are ids, codes and counts, never what people wrote. */
export function createLogger(options: { level: string; process: 'api' | 'worker' }): Logger {
  return pino({ level: options.level, base: { process: options.process } });
}
