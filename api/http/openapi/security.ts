import { scopes } from '../../../domain/kernel/scopes.js';
import { sessionCookieName } from '../../auth/session-cookie.js';
import type { Access } from '../access.js';

/** The ways in which callers authenticate. */
export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'wes_…',
    description: 'An API key. Each operation names the scope that the key must have.',
    'x-scopes': scopes,
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName,
    description:
      'A session, begun with `POST /sessions`. It has the permissions of its member. A write with the session cookie must come from a page of this service: `Origin` or `Sec-Fetch-Site` must say so (otherwise 403 `origin_not_allowed`). If `Authorization` is sent as well, it takes precedence.',
  },
  carrierSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Twilio-Signature',
    description: "The telephony carrier's signature over the URL and all form fields.",
  },
};

/** The security schemes that an operation accepts. */
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

/** Describes the scope and permission that a caller needs. */
export function needs({ scope, permission }: Access<unknown>): string | undefined {
  if (scope === undefined) return undefined;
  const role = permission === undefined ? '' : `, and the permission \`${permission}\` in the member's role`;
  return `Needs the scope \`${scope}\` on the credential${role}.`;
}
