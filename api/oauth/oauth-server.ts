import type { Context, Next } from 'koa';
import mount from 'koa-mount';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { isOAuthScope } from '../../domain/identity/oauth/oauth-scopes.js';
import { signingKeys } from '../../domain/identity/oauth/signing-keys.js';
import { subjectKey } from '../../domain/identity/oauth/subject-key.js';
import { useNotedEveryMs } from '../../domain/identity/sessions/session-lifetime.js';
import type { Encryption } from '../../domain/lib/encryption.js';
import { retryAfterOf } from './oauth-errors.js';
import type { OAuthQuotas } from './oauth-quotas.js';
import { createProvider, type ProviderOptions } from './provider.js';
import { performingRefreshes } from './refresh.js';
import { scopesOfClient } from './resources.js';

export interface OAuthServerOptions extends Omit<ProviderOptions, 'keys' | 'subjectKey'> {
  encryption: Encryption;
  quotas: OAuthQuotas;
  /** Called with errors that are ours. */
  onFailure(ctx: Context, error: unknown): void;
}

/**
 * Whether a request is the client's own, and not the way back of a person who has signed in and decided. Nobody is sent on from it
 * by an error: an address of this service would lead wherever a client that registered itself wants (RFC 9700, 4.11.2).
 */
const isBeforeConsent = (path: string) => path.endsWith('/authorize');

/** How long a process goes on with the keys that it has read. */
const keysReadEveryMs = 60_000;

/** The OAuth authorization server of this process. It is built anew when the signing keys change. */
export class OAuthServer {
  readonly #options: OAuthServerOptions;
  readonly #path: string;
  #current: { provider: Provider; kids: string; readAt: number } | undefined;

  constructor(options: OAuthServerOptions) {
    this.#options = options;
    this.#path = new URL(options.issuer).pathname;
  }

  /** Serves a request at a path below the issuer, whatever path it was sent to. */
  async serve(ctx: Context, path: string, next: Next): Promise<void> {
    const provider = await this.provider();
    const { host, protocol } = new URL(this.#options.issuer);
    const { req } = ctx;
    // The library names endpoints by the headers of the request, which the caller can choose.
    req.headers.host = host;
    req.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    delete req.headers['x-forwarded-host'];
    ctx.path = path;
    await this.#options.quotas.takeRequest(ctx);
    await this.#fillInScopes(ctx, provider);
    await mount(this.#path, provider as never)(ctx as never, next);
    const wait = retryAfterOf(ctx.state.oauthError);
    if (wait !== undefined) ctx.set('Retry-After', String(wait));
  }

  /**
   * A client that asks for no scopes asks for all that it is registered with (RFC 6749, section 3.3). Of the scopes of all
   * tools, which every client of the tools is told, those are left out that it is not registered with.
   */
  async #fillInScopes(ctx: Context, provider: Provider): Promise<void> {
    const { client_id: clientId, scope, resource = this.#options.resources.mcp } = ctx.query;
    if (ctx.path !== `${this.#path}/authorize` || typeof clientId !== 'string') return;
    const mayAskForMore = resource === this.#options.resources.mcp && typeof scope === 'string';
    if (scope !== undefined && !mayAskForMore) return;
    const client = await provider.Client.find(clientId).catch(() => undefined);
    if (client === undefined) return;
    const registered: readonly string[] = scopesOfClient(client.scope);
    const asked = typeof scope === 'string' ? scope.split(' ') : registered;
    const left = asked.filter((one) => registered.includes(one) || !isOAuthScope(one));
    // Where nothing is left, the library refuses what was asked.
    if (left.length > 0) ctx.query = { ...ctx.query, scope: left.join(' ') };
  }

  /** The provider with the keys of now. */
  async provider(): Promise<Provider> {
    const { clock } = this.#options;
    const now = clock.now().getTime();
    const known = this.#current;
    if (known !== undefined && now - known.readAt < keysReadEveryMs) return known.provider;
    // Its first use looks for signing keys of an earlier release, so that it comes before the first one is made.
    const key = await subjectKey(this.#options);
    const keys = await signingKeys(this.#options);
    const kids = keys.map(({ kid }) => kid).join(' ');
    const provider = known?.kids === kids ? known.provider : this.#build(keys, key);
    this.#current = { provider, kids, readAt: now };
    return provider;
  }

  /** The answer neither waits for this update, which shows people which applications are in use, nor fails with it. */
  #recordUse({ oidc }: KoaContextWithOIDC): void {
    const { db, clock } = this.#options;
    const now = clock.now();
    const recordUnlessSince = new Date(now.getTime() - useNotedEveryMs);
    if (oidc.client === undefined) return;
    db.identity.oauthClients.touch(oidc.client.clientId, now, recordUnlessSince).catch(() => {});
  }

  #build(keys: ProviderOptions['keys'], key: Buffer): Provider {
    const options = this.#options;
    const provider = createProvider({ ...options, keys, subjectKey: key }, (handler) =>
      performingRefreshes(options, handler),
    );
    const noted = (ctx: KoaContextWithOIDC, error: unknown) => {
      ctx.state.oauthError = error;
    };
    provider.on('grant.error', (ctx, error) => {
      noted(ctx, error);
      options.quotas.recordRefusal(ctx);
    });
    provider.on('grant.success', (ctx) => {
      options.quotas.recordGood(ctx);
      this.#recordUse(ctx);
    });
    provider.on('registration_create.error', noted);
    provider.on('revocation.error', noted);
    provider.on('introspection.error', noted);
    provider.on('authorization.error', (ctx, error) => {
      noted(ctx, error);
      if (isBeforeConsent(ctx.path)) error.allow_redirect = false;
    });
    provider.on('server_error', (ctx, error) => {
      noted(ctx, error);
      options.onFailure(ctx, error);
    });
    return provider;
  }
}
