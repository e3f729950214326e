import { createHash, randomBytes } from 'node:crypto';
import type { DevFile } from '../../launcher/dev-file.js';
import { readSignInCode } from '../../sign-in-code.js';
import { DemoError } from '../api-client.js';
import { Browser, choiceOf } from './browser.js';

const redirectUri = 'http://127.0.0.1:7777/callback';
const workspaceName = 'Demo Clinic';

export interface Connection {
  /** Where the tools are. */
  url: string;
  token: string;
  /** Deletes the application, which ends the connection. */
  end(): Promise<void>;
}

/**
 * Goes the way of an AI client that knows nothing but the address of the tools: from the 401 to the metadata, the consent
 * of a person and a token. `tell` gets a line for each step.
 */
export async function connect(
  dev: DevFile,
  scopes: readonly string[],
  tell: (step: string, what: string) => void,
): Promise<Connection> {
  const url = `${dev.baseUrl}/api/v2/mcp`;
  const { authorizationServer, resource } = await findAuthorizationServer(url, tell);
  const server = await readJson<{ authorization_endpoint: string; token_endpoint: string }>(
    wellKnown('oauth-authorization-server', authorizationServer),
  );

  const browser = new Browser(new URL(dev.baseUrl).origin);
  await signIn(browser, dev);
  const application = await browser.api<{ uuid: string; clientId: string }>('POST', '/account/applications', {
    name: 'Reception assistant',
    redirectUris: [redirectUri],
    scopes,
    confidential: false,
  });
  tell('person', `signs in as ${dev.adminEmail}, and adds the application “Reception assistant”`);

  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const asked = new URL(server.authorization_endpoint);
  asked.search = new URLSearchParams({
    client_id: application.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    resource,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const code = await consent(browser, asked.href, state);
  tell('consent', `${workspaceName}: ${scopes.join(', ')}`);

  const granted = await fetch(server.token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: application.clientId,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      resource,
    }),
  });
  if (!granted.ok) throw new DemoError(`There is no token: ${granted.status} ${await granted.text()}`);
  const { access_token: token, expires_in: seconds } = (await granted.json()) as {
    access_token: string;
    expires_in: number;
  };
  tell('token', `for ${resource}, valid for ${seconds} seconds`);
  const end = () => browser.api<void>('DELETE', `/account/applications/${application.uuid}`);
  return { url, token, end };
}

async function findAuthorizationServer(url: string, tell: (step: string, what: string) => void) {
  const refused = await fetch(url, {
    method: 'POST',
    body: '{}',
    headers: { 'Content-Type': 'application/json' },
  });
  const challenge = refused.headers.get('WWW-Authenticate') ?? '';
  const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1];
  if (metadata === undefined) throw new DemoError(`${url} does not say where to get a token.`);
  tell('no token', `${refused.status}: see ${metadata}`);
  const { authorization_servers: servers, resource } = await readJson<{
    authorization_servers: string[];
    resource: string;
  }>(metadata);
  const [authorizationServer] = servers;
  if (authorizationServer === undefined) throw new DemoError('The metadata name no authorization server.');
  tell('metadata', `tokens come from ${authorizationServer}`);
  return { authorizationServer, resource };
}

/** @see https://www.rfc-editor.org/rfc/rfc8414#section-3 */
function wellKnown(name: string, issuer: string): string {
  const { origin, pathname } = new URL(issuer);
  return `${origin}/.well-known/${name}${pathname === '/' ? '' : pathname}`;
}

async function readJson<Body>(address: string): Promise<Body> {
  const answer = await fetch(address);
  if (!answer.ok) throw new DemoError(`${address} was answered ${answer.status}.`);
  return (await answer.json()) as Body;
}

async function signIn(browser: Browser, { adminEmail, mailSimulator }: DevFile): Promise<void> {
  if (mailSimulator === null) {
    throw new DemoError('The MCP demo needs the mail simulator, but a real mail server is configured.');
  }
  const { asked, code } = await readSignInCode(mailSimulator, adminEmail, async () =>
    browser.submit(await browser.open('/sign-in'), '/sign-in', { address: adminEmail }),
  );
  await browser.submit(asked, '/sign-in/code', { code });
}

/** Lets the application into the clinic's workspace. @returns the code for the client */
async function consent(browser: Browser, address: string, state: string): Promise<string> {
  const page = await browser.open(address);
  const workspaceId = choiceOf(page, workspaceName);
  if (workspaceId === undefined) throw new DemoError(`The consent does not name ${workspaceName}.`);
  const { leftFor = '' } = await browser.submit(page, '/api/v2/oauth/consent/', {
    decision: 'allow',
    workspaceId,
  });
  const back = new URL(leftFor, browser.origin).searchParams;
  const code = back.get('code');
  if (code === null || back.get('state') !== state) throw new DemoError('The consent led to no code.');
  return code;
}
