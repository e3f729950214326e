import { createHash } from 'node:crypto';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import { publicFetch } from '../public-fetch/public-fetch.js';
import type { AddressPolicy } from '../webhook/address-policy.js';

interface Client {
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

interface Flow {
  state: string;
  nonce: string;
  codeVerifier: string;
}

interface Claims {
  subject: string;
  name: string | undefined;
  email: string | undefined;
  emailVerified: boolean | undefined;
}

type Failure = 'unreachable' | 'keys_changed' | 'refused';

export interface OpenIdProvidersOptions {
  policy: AddressPolicy;
  /** Also `http:`, for the simulator. */
  allowHttp: boolean;
  now: () => number;
  timeoutMs?: number;
}

/** Of one answer: a discovery document, keys, or tokens. */
const maxBytes = 128 * 1024;
const toleranceSeconds = 60;
const keptMs = 10 * 60_000;
/** A provider that does not answer is asked again after this time, however many people try. */
const failedMs = 5_000;
const maxKept = 200;
const max = { subject: 255, name: 200, email: 254 };

interface Kept {
  until: number;
  configuration: Promise<Configuration>;
}

/**
 * OpenID Connect with the code flow, PKCE and a nonce. Signatures of ID tokens are always checked, and their audience is
 * exactly the client. What providers say of themselves is kept for ten minutes.
 */
export class OpenIdProviders {
  readonly #options: OpenIdProvidersOptions;
  readonly #kept = new Map<string, Kept>();
  readonly #fetch: typeof fetch;

  constructor(options: OpenIdProvidersOptions) {
    this.#options = options;
    this.#fetch = publicFetch({ policy: options.policy, timeoutMs: options.timeoutMs ?? 5_000, maxBytes });
  }

  async begin(client: Client, flow: Flow): Promise<{ url: string } | { failure: Failure }> {
    try {
      const configuration = await this.#configurationOf(client);
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: client.redirectUri,
        response_type: 'code',
        scope: 'openid email profile',
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await calculatePKCECodeChallenge(flow.codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href };
    } catch (error) {
      return { failure: failureOf(error) };
    }
  }

  async complete(
    client: Client,
    flow: Flow,
    query: string,
  ): Promise<{ claims: Claims } | { failure: Failure }> {
    const callback = new URL(client.redirectUri);
    callback.search = query;
    try {
      const configuration = await this.#configurationOf(client);
      const tokens = await authorizationCodeGrant(configuration, callback, {
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        pkceCodeVerifier: flow.codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      const audience = [claims?.aud].flat();
      if (claims === undefined || audience.length !== 1 || audience[0] !== client.clientId) {
        return { failure: 'refused' };
      }
      const subject = textIn(claims.sub, max.subject);
      if (subject === undefined) return { failure: 'refused' };
      return {
        claims: {
          subject,
          name: textIn(claims.name, max.name),
          email: textIn(claims.email, max.email),
          emailVerified: typeof claims.email_verified === 'boolean' ? claims.email_verified : undefined,
        },
      };
    } catch (error) {
      const failure = failureOf(error);
      // The keys of a configuration are read again only after a while: the next attempt begins with a new one.
      if (failure === 'keys_changed') this.#kept.delete(nameOf(client));
      return { failure };
    }
  }

  #configurationOf(client: Client): Promise<Configuration> {
    const name = nameOf(client);
    const now = this.#options.now();
    const kept = this.#kept.get(name);
    if (kept !== undefined && kept.until > now) return kept.configuration;
    this.#kept.delete(name);
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size >= maxKept && oldest !== undefined) this.#kept.delete(oldest);
    const entry: Kept = { until: now + keptMs, configuration: this.#discover(client) };
    entry.configuration.catch(() => {
      entry.until = now + failedMs;
    });
    this.#kept.set(name, entry);
    return entry.configuration;
  }

  async #discover({ issuer, clientId, clientSecret }: Client): Promise<Configuration> {
    const fetching = (url: string, options: object) => this.#fetch(url, options);
    const timeout = Math.ceil((this.#options.timeoutMs ?? 5_000) / 1_000);
    const found = await discovery(new URL(issuer), clientId, undefined, undefined, {
      [customFetch]: fetching,
      timeout,
      execute: this.#options.allowHttp ? [allowInsecureRequests] : [],
    });
    const server = found.serverMetadata();
    const byPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false;
    const authentication = byPost ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
    const metadata = { [clockTolerance]: toleranceSeconds };
    const configuration = new Configuration(server, clientId, metadata, authentication);
    configuration[customFetch] = fetching;
    configuration.timeout = timeout;
    if (this.#options.allowHttp) allowInsecureRequests(configuration);
    // By default, TLS is trusted instead.
    enableNonRepudiationChecks(configuration);
    return configuration;
  }
}

function nameOf({ issuer, clientId, clientSecret }: Client): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, clientId, clientSecret]))
    .digest('base64');
}

function textIn(value: unknown, most: number): string | undefined {
  // PostgreSQL takes no NUL.
  return typeof value === 'string' && value !== '' && value.length <= most && !value.includes('\0')
    ? value
    : undefined;
}

/** Errors that say that nothing was heard, or that the provider itself has failed. */
function failureOf(error: unknown): Failure {
  const { code, cause, status } = error as { code?: string; cause?: unknown; status?: number };
  if (code === 'OAUTH_KEY_SELECTION_FAILED') return 'keys_changed';
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') return 'unreachable';
  const answered = status ?? (cause instanceof Response ? cause.status : undefined);
  if (answered !== undefined) return answered >= 500 || answered === 429 ? 'unreachable' : 'refused';
  return code?.startsWith('OAUTH_') ? 'refused' : 'unreachable';
}
