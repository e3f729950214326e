import type { ServerOptions } from 'node:http';

export const serverOptions: ServerOptions = {
  /**
   * Enough for the longest query that a route accepts: six filters of data records with a thousand characters each,
   * which take up to twelve bytes per character in a URL. Node answers longer headers with 431 and closes the
   * connection.
   */
  maxHeaderSize: 81_920,
  /**
   * Milliseconds; longer than load balancers keep idle connections (usually 60 s). With Node's default of five seconds
   * a proxy or client may send a request on a connection that the server is just closing.
   */
  keepAliveTimeout: 65_000,
};
