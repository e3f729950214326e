import { type Agent, request } from 'node:http';
import type { PreparedRequest } from '../attack.js';

/** Where requests go, and how they get there. */
export interface Way {
  /** Where the api answers, without `/api/v2`. */
  url: string;
  agent: Agent;
  /** The address they come from. */
  localAddress?: string;
}

/**
 * Sends a request and passes its answer over, unparsed.
 *
 * @returns its status once all of it is there; 0 where the connection was cut
 */
export function send({ url, agent, localAddress }: Way, prepared: PreparedRequest): Promise<number> {
  const { method, path, headers, body } = prepared;
  return new Promise((resolve) => {
    const options = { method, headers, agent, ...(localAddress === undefined ? {} : { localAddress }) };
    const sent = request(`${url}/api/v2${path}`, options, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
      response.once('close', () => resolve(0));
    });
    sent.once('error', () => resolve(0));
    sent.end(body === undefined ? undefined : Buffer.from(body, 'latin1'));
  });
}
