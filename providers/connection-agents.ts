import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

type Created = (error: Error | null, socket: Duplex) => void;

export type ConnectionAgents = ReturnType<typeof connectionAgents>;

/** Options of both agents. Those of an existing agent do not fit: since Node 22 they name its protocol and port. */
export type ConnectionOptions = Pick<
  https.AgentOptions,
  'keepAlive' | 'timeout' | 'maxSockets' | 'maxTotalSockets' | 'maxFreeSockets' | 'ca'
>;

/**
 * HTTP agents that record whether a request can have left: until the connection is established an error means that
 * nothing was sent, afterwards the same code does not. `connectTimeoutMs` is for name look-up, TCP and TLS together.
 * Connections are kept alive only if the options say so.
 */
export function connectionAgents(connectTimeoutMs: number, options: ConnectionOptions = {}) {
  const early = new WeakSet<Error>();

  function watch<S extends Duplex | null | undefined>(socket: S, connected: 'connect' | 'secureConnect'): S {
    if (!socket) return socket;
    const note = (error: Error) => void early.add(error);
    const deadline = setTimeout(() => (socket as Socket).destroy(new ConnectTimeout()), connectTimeoutMs);
    socket.once('error', note);
    socket.once('close', () => clearTimeout(deadline));
    socket.once(connected, () => {
      clearTimeout(deadline);
      socket.off('error', note);
    });
    return socket;
  }

  class HttpAgent extends http.Agent {
    override createConnection(options: http.ClientRequestArgs, callback?: Created) {
      return watch(super.createConnection(options, callback), 'connect');
    }
  }
  class HttpsAgent extends https.Agent {
    override createConnection(options: https.RequestOptions, callback?: Created) {
      return watch(super.createConnection(options, callback), 'secureConnect');
    }
  }

  return {
    http: new HttpAgent({ keepAlive: false, ...options }),
    https: new HttpsAgent({ keepAlive: false, ...options }),
    /** Whether this error, or its cause, occurred before the connection was established. */
    neverConnected: (error: unknown): boolean =>
      error instanceof Error &&
      (early.has(error) || (error.cause instanceof Error && early.has(error.cause))),
  };
}

class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout';
  readonly code = 'CONNECT_TIMEOUT';
}
