import type { Context } from 'koa';
import { filled, type Language } from './texts/language.js';

/** What was done, for the page that the browser is sent on to. No other site can set the cookie, and so put words into a page. */
const cookie = '__Host-wes_notice';
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax';
const maxNameLength = 200;

export type NoticeName =
  | 'saved'
  | 'addressChanged'
  | 'keyRevoked'
  | 'appSaved'
  | 'appDeleted'
  | 'disconnected'
  | 'sessionEnded'
  | 'othersEnded';
const names: ReadonlySet<string> = new Set<NoticeName>([
  'saved',
  'addressChanged',
  'keyRevoked',
  'appSaved',
  'appDeleted',
  'disconnected',
  'sessionEnded',
  'othersEnded',
]);

/** @param about the name of the thing that it was done to */
export function leaveNotice(ctx: Context, name: NoticeName, about = ''): void {
  const value = encodeURIComponent(`${name}:${about.slice(0, maxNameLength)}`);
  ctx.append('Set-Cookie', `${cookie}=${value}; Max-Age=60; ${attributes}`);
}

/** Tells what was done, once. */
export function takeNotice(ctx: Context, { texts }: Language): string | undefined {
  const value = ctx.cookies.get(cookie);
  if (value === undefined) return undefined;
  ctx.append('Set-Cookie', `${cookie}=; Max-Age=0; ${attributes}`);
  const [, name = '', about = ''] = /^(\w+):(.*)$/s.exec(decoded(value)) ?? [];
  return isNotice(name) ? filled(texts[name], { name: about }) : undefined;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

function isNotice(name: string): name is NoticeName {
  return names.has(name);
}
