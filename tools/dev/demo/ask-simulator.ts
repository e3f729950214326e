import { DemoError } from './api-client.js';

/** Asks the simulated carrier or mail server, at its URL. */
export async function askSimulator<Body>(method: string, url: string, body?: object): Promise<Body> {
  const response = await fetch(url, {
    method,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new DemoError(`A simulator answered ${response.status} to ${method} ${url}.`);
  return (response.status === 204 ? undefined : await response.json()) as Body;
}
