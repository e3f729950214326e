import { allScopes, type Scope } from '../../kernel/scopes.js';

/**
 * What no OAuth client may do, whoever consents: make credentials (keys, sign-in tokens, also by signing people up),
 * and change the account.
 */
const withheld: ReadonlySet<Scope> = new Set<Scope>([
  'account:create',
  'account:write',
  'keys:write',
  'members:impersonate',
]);

/** The scopes that OAuth clients may ask for. */
export const oauthScopes: readonly Scope[] = allScopes.filter((scope) => !withheld.has(scope));

const offered: ReadonlySet<string> = new Set(oauthScopes);

export function isOAuthScope(text: string): text is Scope {
  return offered.has(text);
}
