import type { ServerOptions } from 'node:http';

/**
 * Enough for the longest query that a route accepts: six filters of data records with a thousand characters each, which
 * take up to twelve bytes per character in a URL. Node answers longer headers with 431 and closes the connection.
 */
export const serverOptions: ServerOptions = { maxHeaderSize: 81_920 };
