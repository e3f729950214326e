import { type Logger, pino } from 'pino';
import { safeCode, safeStack } from './error-codes.js';

export type { Logger } from 'pino';

/** The process's log: JSON lines on stdout, with ids, codes and counts, never text written by a person. */
export function createLogger(options: { level: string; process: 'api' | 'media' | 'worker' }): Logger {
  return pino({ level: options.level, base: { process: options.process } });
}

/**
 * Ends the process on an uncaught exception, as Node.js would. Node.js prints the error with all of its properties, and
 * a driver's error quotes the row; this logs only its code and stack frames.
 */
export function endOnCrash(logger: Logger): void {
  // Includes unhandled promise rejections.
  process.on('uncaughtException', (error) => {
    logger.fatal({ code: safeCode(error), stack: safeStack(error) }, 'crashed');
    process.exit(1);
  });
}
