import { randomBytes } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { readSignInCode } from '../sign-in-code.js';
import type { DevFile } from './dev-file.js';

/** The people of the demo whom a link signs in. */
export type DemoPerson = 'admin' | 'colleague' | 'member';
export type SignInLinks = Readonly<Record<DemoPerson, string>>;

interface Options {
  dev: DevFile;
  port: number;
  print: (sentence: string) => void;
}

/**
 * Serves links that sign this machine's browser in as a person of the demo, by a code from the simulated mailbox. Each link
 * works once; the next one is printed. The service itself knows no such links, and nothing listens beyond this machine.
 */
export async function serveSignInLinks(options: Options): Promise<{ links: SignInLinks; server: Server }> {
  const { dev, port, print } = options;
  const secrets = new Map<DemoPerson, string>();
  const nextLink = (person: DemoPerson): string => {
    const secret = randomBytes(16).toString('hex');
    secrets.set(person, secret);
    return `http://127.0.0.1:${port}/${person}/${secret}`;
  };
  const links = { admin: nextLink('admin'), colleague: nextLink('colleague'), member: nextLink('member') };
  const server = createServer((request, response) => {
    const [, name, secret] = (request.url ?? '').split('/');
    const person = (Object.keys(links) as DemoPerson[]).find((one) => one === name);
    if (request.method !== 'GET' || person === undefined || secrets.get(person) !== secret) {
      return answer(response, 404, 'This link has been used. The terminal of npm start has the next one.');
    }
    print(`Somebody signs in as the demo’s ${person}. The next link for that: ${nextLink(person)}`);
    signIn(dev, dev.people[person]).then(
      (cookies) => {
        response.writeHead(303, { 'Set-Cookie': cookies, Location: `${dev.baseUrl}/console` }).end();
      },
      (error: Error) => answer(response, 502, `Signing in failed: ${error.message}`),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return { links, server };
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
}

/** Signs in as the owner of this address. @returns the cookies of the session */
async function signIn({ baseUrl, mailSimulator }: DevFile, email: string): Promise<string[]> {
  if (mailSimulator === null) throw new Error('a real mail server is configured');
  const post = async (path: string, body: object): Promise<Response> => {
    const response = await fetch(`${baseUrl}/api/v2${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
    return response;
  };
  const { asked, code } = await readSignInCode(mailSimulator, email, async () => {
    return (await (await post('/login-codes', { email })).json()) as { uuid: string };
  });
  const session = await post('/sessions', { loginCodeUuid: asked.uuid, code });
  return session.headers.getSetCookie();
}
