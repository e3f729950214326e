import { createHmac } from 'node:crypto';
import type {
  Account,
  Client,
  Configuration,
  KoaContextWithOIDC,
  Provider as ProviderType,
} from 'oidc-provider';
import {
  createClientId,
  createClientSecret,
  isClientSecret,
} from '../../domain/identity/oauth/client-secret.js';
import { grantLifetimeSeconds } from '../../domain/identity/oauth/grants.js';
import { oauthScopes } from '../../domain/identity/oauth/oauth-scopes.js';
import { problemOfRedirectUri } from '../../domain/identity/oauth/redirect-uris.js';
import type { SigningKey } from '../../domain/identity/oauth/signing-keys.js';
import type { ServiceContext } from '../../domain/kernel/context.js';
import { derivedKey } from '../../domain/lib/encryption.js';
import { addressName } from '../http/address-name.js';
import { requestSource } from '../http/request-source.js';
import { adapterFor } from './adapter.js';
import { oauthErrorPage } from './error-page.js';
import { errors, interactionPolicy, Provider } from './library.js';
import type { OAuthQuotas } from './oauth-quotas.js';
import { type GrantHandler, refreshOf } from './refresh.js';
import { type OAuthResources, scopesOfClient } from './resources.js';

export const oauthLifetimes = {
  /** In seconds. */
  accessToken: 3_600,
  refreshToken: 30 * 86_400,
  authorizationCode: 60,
  interaction: 900,
  session: 3_600,
  idToken: 3_600,
};

export interface ProviderOptions extends Pick<ServiceContext, 'db' | 'clock'> {
  issuer: string;
  resources: OAuthResources;
  /** Where a person signs in and consents, below the issuer. */
  consentUrl(uid: string): string;
  /** From which the key of the addresses of registrants is derived, the current one first. */
  secrets: readonly [string, ...string[]];
  keys: readonly SigningKey[];
  /** The key of the pseudonyms in ID tokens. */
  subjectKey: Buffer;
  /** Whether clients may register themselves. */
  registration: boolean;
  /** Fetches metadata of clients, from public addresses only. */
  fetch: typeof fetch;
  /** The account that is signed in by the session cookie of a request. */
  signedIn(ctx: KoaContextWithOIDC): Promise<number | undefined>;
  quotas: OAuthQuotas;
}

/**
 * Creates the authorization server (OAuth 2.1, RFC 8414, RFC 8707, RFC 9207) for one set of signing keys.
 * @param wrapRefresh wraps the handler of refreshes
 */
export function createProvider(
  options: ProviderOptions,
  wrapRefresh: (handler: GrantHandler) => GrantHandler,
): ProviderType {
  class ServiceProvider extends Provider {}
  const { registerGrantType } = Provider.prototype;
  // The constructor of the base class registers its own handlers by this method.
  ServiceProvider.prototype.registerGrantType = function register(name, handler, ...rest) {
    const wrapped = name === 'refresh_token' ? wrapRefresh(handler as GrantHandler) : handler;
    registerGrantType.call(this, name, wrapped as GrantHandler, ...rest);
  };
  const provider = new ServiceProvider(options.issuer, configurationOf(options));
  // Endpoints are named by the issuer, whatever Host a request has: `OAuthServer` rewrites it.
  provider.proxy = true;
  useHashedSecrets(provider, options);
  countClients(provider, options);
  return provider;
}

function configurationOf(options: ProviderOptions): Configuration {
  const { db, clock, resources, secrets, keys, subjectKey } = options;
  const addressKey = derivedKey(secrets[0], 'addresses of OAuth clients');
  return {
    adapter: adapterFor({
      db,
      clock,
      refresh: () => Provider.ctx && refreshOf(Provider.ctx),
      revoker: () => (Provider.ctx?.oidc.route === 'revocation' ? 'client' : 'reuse'),
      source: () => Provider.ctx && requestSource(Provider.ctx),
      registrant: () => ({ addressHash: hashOfCaller(addressKey) }),
    }),
    jwks: { keys: [...keys] } as NonNullable<Configuration['jwks']>,
    routes: {
      authorization: '/authorize',
      token: '/token',
      jwks: '/jwks',
      revocation: '/revoke',
      introspection: '/introspect',
      registration: '/register',
    },
    cookies: {
      names: { session: 'wes_oauth', interaction: 'wes_oauth_step', resume: 'wes_oauth_resume' },
      // They carry ids of 256 random bits, which a signature would not make harder to guess.
      long: { httpOnly: true, sameSite: 'lax', signed: false },
      short: { httpOnly: true, sameSite: 'lax', signed: false },
    },
    scopes: ['openid', ...oauthScopes],
    claims: { openid: ['sub'] },
    subjectTypes: ['pairwise'],
    pairwiseIdentifier: (_ctx, accountId, client) =>
      createHmac('sha256', subjectKey).update(`${client.clientId} ${accountId}`).digest('base64url'),
    responseTypes: ['code'],
    grantTypes: ['authorization_code', 'refresh_token'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'ES256',
      subject_type: 'pairwise',
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      userinfo: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) =>
          client.clientAuthMethod !== 'none' && token.clientId === client.clientId,
      },
      registration: {
        enabled: options.registration,
        idFactory: createClientId,
        secretFactory: () => createClientSecret().secret,
        issueRegistrationAccessToken: false,
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowFetch: (_ctx, clientId) => isNamedDocument(clientId),
        allowClient: (_ctx, client) =>
          (client.redirectUris ?? []).every((uri) => problemOfRedirectUri(uri) === undefined),
        cacheDuration: { min: 60, max: 3_600 },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) => oneOf ?? resources.mcp,
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx, resource, client) => resourceServer(options, ctx, resource, client),
      },
    },
    fetch: options.fetch as unknown as NonNullable<Configuration['fetch']>,
    fetchResponseBodyLimits: { jwks_uri: 5_120, sector_identifier_uri: 5_120 },
    findAccount: (ctx, sub) => findAccount(options, ctx, sub),
    interactions: { policy: policyOf(options), url: (_ctx, { uid }) => options.consentUrl(uid) },
    // A grant is only ever used for the consent that made it, because each is for a workspace that the person chose.
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    revokeGrantPolicy: () => true,
    renderError: (ctx, out) => oauthErrorPage(ctx, out),
    ttl: {
      AccessToken: oauthLifetimes.accessToken,
      AuthorizationCode: oauthLifetimes.authorizationCode,
      RefreshToken: oauthLifetimes.refreshToken,
      IdToken: oauthLifetimes.idToken,
      Interaction: oauthLifetimes.interaction,
      Session: oauthLifetimes.session,
      Grant: grantLifetimeSeconds,
    },
  } as Configuration;
}

/** @throws InvalidTarget for what is no resource of this service, InvalidScope for what it does not know */
function resourceServer(
  { resources }: ProviderOptions,
  ctx: KoaContextWithOIDC,
  resource: string,
  client: Client,
) {
  if (resource !== resources.api && resource !== resources.mcp) throw new errors.InvalidTarget();
  const asked = ctx.oidc.params?.scope;
  if (typeof asked === 'string') {
    const allowed = new Set<string>(['openid', ...scopesOfClient(client.scope)]);
    const unknown = asked.split(' ').filter((scope) => !allowed.has(scope));
    if (unknown.length > 0)
      throw new errors.InvalidScope('scopes are unknown or not the client’s', unknown.join(' '));
  }
  return {
    scope: scopesOfClient(client.scope).join(' '),
    audience: resource,
    accessTokenTTL: oauthLifetimes.accessToken,
    // An opaque token is looked up at each request, so that it ends with the grant, the membership and the role.
    accessTokenFormat: 'opaque' as const,
  };
}

async function findAccount(
  { db }: ProviderOptions,
  ctx: KoaContextWithOIDC,
  sub: string,
): Promise<Account | undefined> {
  const grant = refreshOf(ctx)?.found.grant;
  const isEnabled =
    String(grant?.accountId) === sub
      ? grant?.accountEnabled
      : (await db.identity.accounts.findById(Number(sub)))?.enabled;
  if (isEnabled !== true) return undefined;
  return { accountId: sub, claims: async () => ({ sub }) };
}

/** Asks for a sign-in unless the browser's own session is of the account that is signed in here. */
function policyOf({ signedIn }: ProviderOptions) {
  const policy = interactionPolicy.base();
  const { Check } = interactionPolicy;
  policy.get('login')?.checks.add(
    new Check('another_account', 'the person is not signed in', async (ctx) => {
      const account = await signedIn(ctx);
      const same = account !== undefined && String(account) === ctx.oidc.session?.accountId;
      return same ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
    }),
  );
  return policy;
}

/** A document has a path of its own: the address of a whole host says nothing about who owns it. */
function isNamedDocument(clientId: string): boolean {
  const { pathname } = new URL(clientId);
  return pathname.length > 1;
}

/** Compares the secrets of clients with their hashes. */
function useHashedSecrets(provider: ProviderType, { db, clock }: ProviderOptions): void {
  const { prototype } = provider.Client as unknown as {
    prototype: { compareClientSecret(this: Client, secret: string): Promise<boolean> };
  };
  prototype.compareClientSecret = async function compare(secret) {
    const client = await db.identity.oauthClients.findByClientId(this.clientId);
    return client !== undefined && isClientSecret(client, secret, clock.now());
  };
}

function hashOfCaller(key: Buffer): Buffer {
  const ctx = Provider.ctx;
  return createHmac('sha256', key)
    .update(ctx === undefined ? '' : addressName(ctx.ip))
    .digest();
}

/** Bounds how often one client may be refused, and how often an address may name clients that are unknown. */
function countClients(provider: ProviderType, { quotas }: ProviderOptions): void {
  const { Client } = provider;
  const find = Client.find.bind(Client);
  Client.find = async (clientId: string) => {
    const ctx = Provider.ctx;
    if (ctx === undefined) return find(clientId);
    await quotas.checkClient(ctx, clientId);
    const client = await find(clientId);
    if (client === undefined) await quotas.takeUnknown(ctx);
    return client;
  };
}
