import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { LoginSecret } from './login-secret.js';

/** A browser that has signed in before, by its signed cookie, which grants no access: its requests count separately. */
export interface KnownDevice {
  id: string;
  /** Hashes of the identifiers that it has signed in with, the latest last. */
  identifiers: readonly string[];
  at: number;
}

const lifetimeMs = 365 * 86_400_000;
const maxIdentifiers = 5;
const maxTokenLength = 1_000;

export const deviceLifetimeSeconds = lifetimeMs / 1_000;

/** Reads the device from a cookie; undefined if the signature is invalid or the cookie is too old. */
export function readDevice(
  secret: LoginSecret,
  token: string | undefined,
  now: Date,
): KnownDevice | undefined {
  if (token === undefined || token.length > maxTokenLength) return undefined;
  const [body = '', signature = ''] = token.split('.');
  const expected = secret.signDevice(body);
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const device: KnownDevice = JSON.parse(Buffer.from(body, 'base64url').toString());
  return device.at + lifetimeMs > now.getTime() ? device : undefined;
}

/** Returns the cookie for a browser that has just signed in with an identifier. A known device keeps its id. */
export function rememberDevice(
  secret: LoginSecret,
  token: string | undefined,
  identifierHash: Buffer,
  now: Date,
): string {
  const before = readDevice(secret, token, now);
  const identifier = identifierHash.toString('base64url');
  const others = (before?.identifiers ?? []).filter((other) => other !== identifier);
  const device: KnownDevice = {
    id: before?.id ?? randomBytes(16).toString('base64url'),
    identifiers: [...others, identifier].slice(-maxIdentifiers),
    at: now.getTime(),
  };
  const body = Buffer.from(JSON.stringify(device)).toString('base64url');
  return `${body}.${secret.signDevice(body).toString('base64url')}`;
}
