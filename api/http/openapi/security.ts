import { scopes } from '../../../domain/kernel/scopes.js';
import { sessionCookieName } from '../../auth/session-cookie.js';
import type { Access } from '../access.js';

/** How callers say who they are. */
export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'wes_…',
    description: 'An API key. An operation names the scope the key has to have.',
    'x-scopes': scopes,
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName,
    description:
      'A session, begun by `POST /sessions`. It may do what its member may. Changes are made with it from pages of this service only: `Origin` or `Sec-Fetch-Site` has to say so (else 403 `origin_not_allowed`). Where `Authorization` is sent as well, that counts.',
  },
  carrierSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Twilio-Signature',
    description: "The telephony carrier's signature over the address and all fields.",
  },
};

/** What of it an operation takes. */
export function security({ kind, scope }: Access<unknown>): Record<string, string[]>[] {
  const key = { apiKey: scope === undefined ? [] : [scope] };
  const session = { session: [] };
  const byKind = {
    public: [],
    visitor: [],
    optional: [{}, key, session],
    account: [key, session],
    session: [session],
    member: [key, session],
    carrier: [{ carrierSignature: [] }],
  };
  return byKind[kind];
}

/** What a caller has to be allowed, in words. */
export function needs({ scope, permission }: Access<unknown>): string | undefined {
  if (scope === undefined) return undefined;
  const role = permission === undefined ? '' : `, and the permission \`${permission}\` in the member's role`;
  return `Needs the scope \`${scope}\` on the credential${role}.`;
}
