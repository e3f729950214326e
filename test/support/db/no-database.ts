import type { Database } from '../../../db/database.js';

/** For routes that ask the database for nothing. */
export const noDatabase = { withTerms: () => noDatabase } as unknown as Database;
