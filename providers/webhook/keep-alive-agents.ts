import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';

/** One of them for `http:`, one for `https:`. */
export interface Agents {
  plain: http.Agent;
  secure: https.Agent;
}

/** Shorter than most servers keep a connection, so that it is rarely they who end it. */
const idleMs = 4_000;

/** As many as there are deliveries under way to one receiver. */
const mostIdleOfOneHost = 4;

const mostIdle = 256;

/**
 * Agents that keep connections for the next delivery, a bounded number of them. Those in use are bounded by who posts:
 * waiting here for one would use up the time of a delivery because of others.
 */
export function keepAliveAgents(options: https.AgentOptions): Agents {
  const settings = { ...options, keepAlive: true, timeout: idleMs, maxFreeSockets: mostIdleOfOneHost };
  return { plain: new PlainAgent(settings), secure: new SecureAgent(settings) };
}

/** Agents of which every request gets a connection of its own. */
export function freshAgents(options: https.AgentOptions): Agents {
  const settings = { ...options, keepAlive: false };
  return { plain: new http.Agent(settings), secure: new https.Agent(settings) };
}

class PlainAgent extends http.Agent {
  override keepSocketAlive(socket: Duplex): boolean {
    return idleIn(this) < mostIdle && Boolean(super.keepSocketAlive(socket));
  }
}

class SecureAgent extends https.Agent {
  override keepSocketAlive(socket: Duplex): boolean {
    return idleIn(this) < mostIdle && Boolean(super.keepSocketAlive(socket));
  }
}

function idleIn({ freeSockets }: http.Agent): number {
  return Object.values(freeSockets).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0);
}
