import type { IncomingHttpHeaders } from 'node:http';

/**
 * The browser takes a `__Host-` cookie only with Secure, from this host alone and for all of its paths, so that no
 * neighbouring host can plant one (RFC 6265bis, 4.1.3.2).
 */
export const sessionCookieName = '__Host-wes_session';

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** Says that the browser has signed in before, which gives it a quota of its own; it lets nobody in. */
export const deviceCookieName = '__Host-wes_device';

/** The session token that the request's cookie holds, good or not. */
export function sessionTokenIn(headers: IncomingHttpHeaders): string | undefined {
  return cookieIn(headers, sessionCookieName);
}

/** The device token that the request's cookie holds, good or not. */
export function deviceTokenIn(headers: IncomingHttpHeaders): string | undefined {
  return cookieIn(headers, deviceCookieName);
}

/** `Set-Cookie` by which a browser that signed in is known again. */
export function deviceCookie(token: string, seconds: number): string {
  return `${deviceCookieName}=${token}; Max-Age=${seconds}; ${attributes}`;
}

function cookieIn({ cookie }: IncomingHttpHeaders, name: string): string | undefined {
  const prefix = `${name}=`;
  const pair = (cookie ?? '').split(';').find((part) => part.trim().startsWith(prefix));
  return pair?.trim().slice(prefix.length);
}

/** `Set-Cookie` that hands a session to the browser, until it is over at the latest. */
export function sessionCookie(token: string, seconds: number): string {
  return `${sessionCookieName}=${token}; Max-Age=${seconds}; ${attributes}`;
}

/** `Set-Cookie` that takes it away. */
export function noSessionCookie(): string {
  return `${sessionCookieName}=; Max-Age=0; ${attributes}`;
}
