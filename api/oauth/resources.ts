import { oauthScopes } from '../../domain/identity/oauth/oauth-scopes.js';
import type { Scope } from '../../domain/kernel/scopes.js';

/** The resources that tokens can be for (RFC 8707): a token for one is refused by the other. */
export interface OAuthResources {
  api: string;
  mcp: string;
}

/** @param apiUrl the public address of the API, such as `https://example.com/api/v2` */
export function oauthResources(apiUrl: string): OAuthResources {
  return { api: apiUrl, mcp: `${apiUrl}/mcp` };
}

/** The scopes that a client may have for a resource. */
export function scopesOfClient(registered: string | undefined): Scope[] {
  if (registered === undefined) return [...oauthScopes];
  const names = new Set(registered.split(' '));
  return oauthScopes.filter((scope) => names.has(scope));
}
