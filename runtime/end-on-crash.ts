import { safeCode, safeStack } from './error-codes.js';
import type { Logger } from './logger.js';

/**
 * Ends the process on what nobody caught, as Node.js would. Node.js prints the error with all that hangs from it, and
 * a driver's error quotes the row: the log has its code and its place instead.
 */
export function endOnCrash(logger: Logger): void {
  // Promises that nobody awaits end here as well.
  process.on('uncaughtException', (error) => {
    logger.fatal({ code: safeCode(error), stack: safeStack(error) }, 'crashed');
    process.exit(1);
  });
}
