import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Provider } from 'oidc-provider';
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import type { RunningSimulator } from '../support/serve.js';
import { Memory } from './memory-adapter.js';
import { Faults, spoiled } from './mishaps.js';

const Client = Type.Object(
  { secret: Type.String({ minLength: 1 }), redirectUris: Type.Array(Type.String(), { minItems: 1 }) },
  { additionalProperties: false },
);
const Person = Type.Object(
  {
    name: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    emailVerified: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

interface SigningKey {
  kid: string;
  key: KeyObject;
}

/**
 * Starts an identity provider: `oidc-provider`, which is as strict as a real one, with people who need no password, and
 * mishaps; see `tools/simulators/README.md`.
 */
export async function startIdentityProvider(options: {
  port: number;
  host?: string;
}): Promise<RunningSimulator> {
  const { port, host = '127.0.0.1' } = options;
  const state = new State();
  const server = http.createServer((request, response) => {
    serve(state, request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else send(response, 500, { error: 'The simulator failed.' });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: listening } = server.address() as AddressInfo;
  state.url = `http://127.0.0.1:${listening}`;
  state.rotateKeys();
  return {
    url: state.url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

class State {
  url = '';
  mishaps: Faults = {};
  readonly people = new Map<string, Static<typeof Person>>();
  readonly memory = new Memory();
  key!: SigningKey;
  provider!: Provider;
  handle!: (request: IncomingMessage, response: ServerResponse) => Promise<void>;

  /** The keys before are gone at once, as after a leak. */
  rotateKeys(): void {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    this.key = { kid: randomUUID(), key: privateKey };
    this.provider = this.#provider();
    this.handle = this.provider.callback();
  }

  #provider(): Provider {
    const jwk = { ...this.key.key.export({ format: 'jwk' }), kid: this.key.kid, use: 'sig', alg: 'RS256' };
    const provider = new Provider(this.url, {
      adapter: this.memory.adapterOf,
      jwks: { keys: [jwk] },
      cookies: { keys: ['only for the simulator'] },
      pkce: { required: () => true },
      responseTypes: ['code'],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      // Most providers put them into the ID token.
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
      interactions: { url: (_ctx, interaction) => `/sign-in/${interaction.uid}` },
      findAccount: (_ctx, sub) => {
        const person = this.people.get(sub);
        if (person === undefined) return undefined;
        const { name, email, emailVerified } = person;
        const claims = {
          sub,
          name,
          email,
          email_verified: email === undefined ? undefined : (emailVerified ?? true),
        };
        return { accountId: sub, claims: async () => claims };
      },
      // The organization has agreed for its people.
      loadExistingGrant: async (ctx) => {
        const { client, session } = ctx.oidc;
        const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    provider.on('server_error', (_ctx, error) => console.error(error));
    return provider;
  }
}

const paths = [
  'GET /health',
  'GET /.well-known/openid-configuration',
  'PUT /simulator/clients/{id}',
  'PUT /simulator/people/{subject}',
  'PUT /simulator/mishaps',
  'POST /simulator/keys',
];

async function serve(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', state.url);
  if (pathname === '/health') return send(response, 200, { status: 'ok', simulated: 'identity-provider' });
  if (pathname === '/') return send(response, 200, { paths, guide: 'tools/simulators/README.md' });
  if (pathname.startsWith('/simulator/')) return control(state, pathname, request, response);
  const { latencyMs, status, redirect, bytes, discoveryIssuer } = state.mishaps;
  if (latencyMs !== undefined) await delay(latencyMs);
  if (status !== undefined) return send(response, status, { error: 'server_error' });
  const isDiscovery = pathname === '/.well-known/openid-configuration';
  if (isDiscovery && redirect !== undefined) {
    response.writeHead(302, { location: redirect }).end();
    return;
  }
  if (bytes !== undefined) return send(response, 200, { padding: 'x'.repeat(bytes) });
  if (isDiscovery && discoveryIssuer !== undefined) {
    return rewriting(state, request, response, (body) =>
      JSON.stringify({ ...JSON.parse(body), issuer: discoveryIssuer }),
    );
  }
  const isSpoilt = state.mishaps.token !== undefined || state.mishaps.clockSkewSeconds !== undefined;
  if (pathname === '/token' && isSpoilt) {
    return rewriting(state, request, response, (body) => spoiled(body, state.mishaps, state.key));
  }
  if (pathname.startsWith('/sign-in/')) return signIn(state, request, response);
  await state.handle(request, response);
}

/** Lets the provider answer, and changes what it says. */
async function rewriting(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  rewrite: (body: string) => string,
): Promise<void> {
  const end = response.end.bind(response);
  response.end = ((chunk?: unknown) => {
    const body = rewrite(String(chunk ?? ''));
    response.setHeader('content-length', Buffer.byteLength(body));
    return end(body);
  }) as typeof response.end;
  await state.handle(request, response);
}

/** A page with the people whom the provider knows; choosing one signs in. */
async function signIn(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST') {
    const person = new URLSearchParams(await textOf(request)).get('person') ?? '';
    const result = state.people.has(person)
      ? { login: { accountId: person } }
      : { error: 'access_denied', error_description: 'Nobody was chosen.' };
    return state.provider.interactionFinished(request, response, result);
  }
  const choices = [...state.people].map(
    ([sub, { name, email }]) =>
      `<p><button name="person" value="${escaped(sub)}">${escaped(name ?? sub)} ${escaped(email ?? '')}</button></p>`,
  );
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Simulated identity provider</title>
<main><h1>Simulated identity provider</h1><p>It only pretends. Sign in as:</p>
<form method="post">${choices.join('')}<p><button name="person" value="">Nobody</button></p></form></main></html>`;
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
}

async function control(
  state: State,
  pathname: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, , what = '', name = ''] = pathname.split('/').map(decodeURIComponent);
  const text = await textOf(request);
  const body: unknown = text === '' ? {} : JSON.parse(text);
  switch (`${request.method} ${what}`) {
    case 'PUT clients': {
      if (!Value.Check(Client, body))
        return send(response, 400, { error: 'A client has secret and redirectUris.' });
      state.memory.clients.set(name, {
        client_id: name,
        client_secret: body.secret,
        redirect_uris: body.redirectUris,
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      });
      return send(response, 204);
    }
    case 'PUT people':
      if (!Value.Check(Person, body))
        return send(response, 400, { error: 'A person has name, email and emailVerified.' });
      state.people.set(name, body);
      return send(response, 204);
    case 'DELETE people':
      state.people.delete(name);
      return send(response, 204);
    case 'GET people':
      return send(response, 200, Object.fromEntries(state.people));
    case 'PUT mishaps':
      if (!Value.Check(Faults, body)) return send(response, 400, { error: 'There is no such mishap.' });
      state.mishaps = body;
      return send(response, 204);
    case 'POST keys':
      state.rotateKeys();
      return send(response, 204);
    default:
      return send(response, 404, { error: 'No such path or method.' });
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, status: number, body?: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === undefined ? '' : JSON.stringify(body));
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
