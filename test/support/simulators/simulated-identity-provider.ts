import type { Faults } from '../../../tools/simulators/identity-provider/mishaps.js';
import { startIdentityProvider } from '../../../tools/simulators/identity-provider/start-identity-provider.js';
import { ask } from './ask.js';

export interface SimulatedIdentityProvider {
  url: string;
  setClient(id: string, client: { secret: string; redirectUris: string[] }): Promise<void>;
  setPerson(
    subject: string,
    person: { name?: string; email?: string; emailVerified?: boolean },
  ): Promise<void>;
  setFaults(mishaps: Faults): Promise<void>;
  rotateKeys(): Promise<void>;
  /** Does what a person does in a browser who chooses a name. @returns where the provider sends the browser back to */
  signIn(url: string, subject: string): Promise<URL>;
  close(): Promise<void>;
}

export async function startProvider(): Promise<SimulatedIdentityProvider> {
  const { url, close } = await startIdentityProvider({ port: 0 });
  return {
    url,
    setClient: (id, client) => ask(url, 'PUT', `/simulator/clients/${id}`, client),
    setPerson: (subject, person) => ask(url, 'PUT', `/simulator/people/${subject}`, person),
    setFaults: (mishaps) => ask(url, 'PUT', '/simulator/mishaps', mishaps),
    rotateKeys: () => ask(url, 'POST', '/simulator/keys'),
    signIn: (start, subject) => walk(url, start, subject),
    close,
  };
}

async function walk(provider: string, start: string, subject: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = start;
  let body: URLSearchParams | undefined;
  for (let steps = 0; steps < 10; steps += 1) {
    const answer = await fetch(next, {
      redirect: 'manual',
      method: body === undefined ? 'GET' : 'POST',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body === undefined ? {} : { body }),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) {
      if (!answer.ok) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
      body = new URLSearchParams({ person: subject });
      continue;
    }
    body = undefined;
    const target = new URL(location, next);
    if (target.origin !== new URL(provider).origin) return target;
    next = target.href;
  }
  throw new Error('the provider leads nowhere');
}
