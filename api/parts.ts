import type { Context, Middleware } from 'koa';
import { callerOfBrowser } from './auth/authenticate-account.js';
import { addressName } from './http/address-name.js';
import { apiPrefix } from './http/app.js';
import type { Server } from './http/pipeline/endpoint.js';
import { toProblem } from './http/problem.js';
import { OAuthQuotas } from './oauth/oauth-quotas.js';
import { OAuthServer } from './oauth/oauth-server.js';
import { oauthResources } from './oauth/resources.js';
import { consentPath } from './pages/consent.js';
import { FormTokens } from './pages/form-tokens.js';
import { servePages } from './pages/serve-pages.js';

export interface PartsSettings {
  /** From which keys are derived, the current one first. */
  secrets: readonly [string, ...string[]];
  /** Whether OAuth clients may register themselves. */
  registration: boolean;
  /** Fetches what OAuth clients publish about themselves, from public addresses only. */
  fetch: typeof fetch;
}

/** Creates what the api serves beside its routes: the authorization server, and the pages that people use. */
export function apiParts({ secrets, registration, fetch }: PartsSettings): (server: Server) => Middleware[] {
  return (server) => {
    const { context, services, rateLimits, publicUrl, ownOrigin } = server;
    const { db, clock } = context;
    const onFailure = (ctx: Context, error: unknown) => {
      server.onFailure(ctx, toProblem(error, ctx.state.requestId));
    };
    const signedIn = async ({ headers }: Context): Promise<number | undefined> =>
      (await callerOfBrowser(context, { method: 'GET', headers, ownOrigin }))?.account?.id;
    const oauth = new OAuthServer({
      db,
      clock,
      encryption: services.encryption,
      issuer: `${publicUrl}${apiPrefix}/oauth`,
      resources: oauthResources(`${publicUrl}${apiPrefix}`),
      consentUrl: (uid) => `${consentPath}/${uid}`,
      secrets,
      registration,
      fetch,
      quotas: new OAuthQuotas(rateLimits),
      signedIn,
      addressOf: (ctx) => addressName(ctx.ip),
      onFailure,
    });
    const pages = servePages({
      context,
      services: {
        oauth,
        ownOrigin,
        webhookAddresses: services.webhookAddresses,
        fileAddresses: services.fileAddresses,
      },
      loginSecret: services.loginSecret,
      formTokens: new FormTokens(secrets),
      limits: rateLimits,
      onFailure,
    });
    return [pages, oauth.serve()];
  };
}
