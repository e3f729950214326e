import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';

export interface Agents {
  plain: http.Agent;
  secure: https.Agent;
}

/** Shorter than the keep-alive timeout of most servers, so that they rarely close the connection first. */
const idleMs = 4_000;

/** The number of concurrent deliveries to one receiver. */
const maxIdleOfOneHost = 4;

const maxIdle = 256;

/**
 * Creates keep-alive agents with a limited number of idle connections. Connections in use are limited by the callers,
 * because a wait here would use up a delivery's time.
 */
export function keepAliveAgents(options: https.AgentOptions): Agents {
  const settings = { ...options, keepAlive: true, timeout: idleMs, maxFreeSockets: maxIdleOfOneHost };
  return { plain: new PlainAgent(settings), secure: new SecureAgent(settings) };
}

/** Creates agents that open a new connection for every request. */
export function freshAgents(options: https.AgentOptions): Agents {
  const settings = { ...options, keepAlive: false };
  return { plain: new http.Agent(settings), secure: new https.Agent(settings) };
}

class PlainAgent extends http.Agent {
  override keepSocketAlive(socket: Duplex): boolean {
    return idleIn(this) < maxIdle && Boolean(super.keepSocketAlive(socket));
  }
}

class SecureAgent extends https.Agent {
  override keepSocketAlive(socket: Duplex): boolean {
    return idleIn(this) < maxIdle && Boolean(super.keepSocketAlive(socket));
  }
}

function idleIn({ freeSockets }: http.Agent): number {
  return Object.values(freeSockets).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0);
}
