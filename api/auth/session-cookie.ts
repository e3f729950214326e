import type { IncomingHttpHeaders } from 'node:http';

/** A `__Host-` cookie is only for this host, and needs Secure: no sibling host can set one (RFC 6265bis, 4.1.3.2). */
export const sessionCookieName = '__Host-wes_session';

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** Marks a browser that has signed in before, which gives it a quota of its own. It grants no access. */
export const deviceCookieName = '__Host-wes_device';

/** What the browser has joined an organization with. It is good together with the session cookie only. */
export const organizationCookieName = '__Host-wes_org_session';

export function sessionTokenIn(headers: IncomingHttpHeaders): string | undefined {
  return cookieIn(headers, sessionCookieName);
}

export function deviceTokenIn(headers: IncomingHttpHeaders): string | undefined {
  return cookieIn(headers, deviceCookieName);
}

export function organizationTokenIn(headers: IncomingHttpHeaders): string | undefined {
  return cookieIn(headers, organizationCookieName);
}

export function organizationCookie(token: string, seconds: number): string {
  return `${organizationCookieName}=${token}; Max-Age=${seconds}; ${attributes}`;
}

export function noOrganizationCookie(): string {
  return `${organizationCookieName}=; Max-Age=0; ${attributes}`;
}

/** A sign-in that is under way at an identity provider, encrypted. */
export const signOnCookieName = '__Host-wes_sign_on';

export function signOnFlowIn(headers: IncomingHttpHeaders): string | undefined {
  return cookieIn(headers, signOnCookieName);
}

export function signOnCookie(sealed: string, seconds: number): string {
  return `${signOnCookieName}=${sealed}; Max-Age=${seconds}; ${attributes}`;
}

export function deviceCookie(token: string, seconds: number): string {
  return `${deviceCookieName}=${token}; Max-Age=${seconds}; ${attributes}`;
}

function cookieIn({ cookie }: IncomingHttpHeaders, name: string): string | undefined {
  const prefix = `${name}=`;
  const pair = (cookie ?? '').split(';').find((part) => part.trim().startsWith(prefix));
  return pair?.trim().slice(prefix.length);
}

/** The cookie expires with the session at the latest. */
export function sessionCookie(token: string, seconds: number): string {
  return `${sessionCookieName}=${token}; Max-Age=${seconds}; ${attributes}`;
}

export function noSessionCookie(): string {
  return `${sessionCookieName}=; Max-Age=0; ${attributes}`;
}
