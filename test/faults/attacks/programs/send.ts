import { type Agent, request } from 'node:http';
import type { PreparedRequest } from '../attack.js';

export interface Way {
  /** Where the api answers, without `/api/v2`. */
  url: string;
  agent: Agent;
  localAddress?: string;
}

/** Resolves with the status once the whole answer is there, unparsed; 0 where the connection was cut. */
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
