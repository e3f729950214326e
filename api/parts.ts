import type { Context, Middleware } from 'koa';
import { onFirstUse } from '../providers/loaded-at-first-use.js';
import { callerOfBrowser } from './auth/authenticate-caller.js';
import { serveConsole } from './console/serve-console.js';
import { consentPath } from './html/account/consent.js';
import { FormTokens } from './html/account/form-tokens.js';
import { servePages } from './html/account/serve-pages.js';
import { apiPrefix } from './http/app.js';
import type { Server } from './http/pipeline/endpoint.js';
import { toProblem } from './http/problem.js';
import { protectedPaths } from './mcp/protected-resource.js';
import type { McpOptions } from './mcp/serve-mcp.js';
import { oauthResources } from './oauth/resources.js';
import { serveOAuth } from './oauth/serve-oauth.js';
import { signOnServices } from './resources/identity/sso/routes.js';
import { serveWidget } from './widget/serve-widget.js';

export interface PartsSettings {
  /** From which keys are derived, the current one first. */
  secrets: readonly [string, ...string[]];
  /** Whether OAuth clients may register themselves. */
  registration: boolean;
  /** Fetches what OAuth clients publish about themselves, from public addresses only. */
  fetch: typeof fetch;
}

/** Creates what the api serves beside its routes: the authorization server, the pages that people use, and the tools. */
export function apiParts({ secrets, registration, fetch }: PartsSettings): (server: Server) => Middleware[] {
  return (server) => {
    const { context, services, rateLimits, publicUrl, ownOrigin } = server;
    const { db, clock } = context;
    const onFailure = (ctx: Context, error: unknown) => {
      server.onFailure(ctx, toProblem(error, ctx.state.requestId));
    };
    // A session by the identity provider of an organization lets no application in.
    const signedIn = async ({ headers }: Context): Promise<number | undefined> => {
      const caller = await callerOfBrowser(context, { method: 'GET', headers, ownOrigin });
      return caller?.credential.organizationId === null ? caller.account?.id : undefined;
    };
    const issuer = `${publicUrl}${apiPrefix}/oauth`;
    const resources = oauthResources(`${publicUrl}${apiPrefix}`);
    const oauth = onFirstUse(async () => {
      const [{ OAuthServer }, { OAuthQuotas }] = await Promise.all([
        import('./oauth/oauth-server.js'),
        import('./oauth/oauth-quotas.js'),
      ]);
      return new OAuthServer({
        db,
        clock,
        encryption: services.encryption,
        issuer,
        resources,
        consentUrl: (uid) => `${consentPath}/${uid}`,
        secrets,
        registration,
        fetch,
        quotas: new OAuthQuotas(rateLimits),
        signedIn,
        onFailure,
      });
    });
    const pages = servePages({
      context,
      services: {
        oauth: { provider: async () => (await oauth()).provider() },
        ownOrigin,
        signOn: signOnServices(services),
        sites: services.sites,
        webhookAddresses: services.webhookAddresses,
        fileAddresses: services.fileAddresses,
      },
      loginSecret: services.loginSecret,
      policy: services.policy,
      formTokens: new FormTokens(secrets),
      limits: rateLimits,
      onFailure,
    });
    const mcp = serveTools({ server, resource: resources.mcp, issuer, secret: secrets[0] });
    return [serveWidget(), serveConsole(), pages, serveOAuth(issuer, oauth), mcp];
  };
}

/** The tools are a fifth of the process, and not everybody uses them: they are loaded with the first request. */
function serveTools(options: Omit<McpOptions, 'tools' | 'resources' | 'prompts'>): Middleware {
  const { path, metadataPath } = protectedPaths(options.resource);
  const tools = onFirstUse(async () => {
    const [{ serveMcp }, { catalog }, { resources }, { prompts }] = await Promise.all([
      import('./mcp/serve-mcp.js'),
      import('./mcp/catalog/index.js'),
      import('./mcp/catalog/resources.js'),
      import('./mcp/catalog/prompts.js'),
    ]);
    return serveMcp({ ...options, tools: catalog, resources, prompts });
  });
  return async (ctx, next) => {
    if (ctx.path !== path && ctx.path !== metadataPath) return next();
    return (await tools())(ctx, next);
  };
}
