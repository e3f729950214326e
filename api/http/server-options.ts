import type { ServerOptions } from 'node:http';

/**
 * Room for the longest query that a route takes: six filters of data records, of a thousand characters each, which are
 * up to twelve bytes in an address. Node answers 431 to what is longer, and hangs up.
 */
export const serverOptions: ServerOptions = { maxHeaderSize: 81_920 };
