import { safeCode, safeStack } from './error-codes.js';
import type { Logger } from './logger.js';

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
