import { randomBytes } from 'node:crypto';
import type { Encryption } from '../../lib/encryption.js';
import { Undecipherable } from '../../lib/encryption.js';
import type { SignInFlow } from './identity-providers.js';

export const flowSeconds = 600;
const context = 'flow of single sign-on';

/** A sign-in under way. It is kept in a cookie, encrypted: beginning one stores nothing. */
export interface KeptFlow extends SignInFlow {
  organizationUuid: string;
  /** The settings that it began with: others cannot end it. */
  issuer: string;
  clientId: string;
  /** The session that was open in the browser when the sign-in began, and that it ends; null: none. */
  overSessionId: number | null;
  /** The session that asked to link its account; null: the person signs in. */
  linkSessionId: number | null;
  /** A path of this service. */
  returnTo: string;
  /** Milliseconds since 1970. */
  endsAt: number;
}

export function newFlow(now: Date, about: Omit<KeptFlow, keyof SignInFlow | 'endsAt'>): KeptFlow {
  const random = () => randomBytes(32).toString('base64url');
  const endsAt = now.getTime() + flowSeconds * 1_000;
  return { ...about, state: random(), nonce: random(), codeVerifier: random(), endsAt };
}

export function sealFlow(encryption: Encryption, flow: KeptFlow): string {
  return encryption.encrypt(JSON.stringify(flow), context).toString('base64url');
}

/** Undefined if it was altered, or is over. */
export function openFlow(encryption: Encryption, sealed: string, now: Date): KeptFlow | undefined {
  try {
    const flow: KeptFlow = JSON.parse(encryption.decrypt(Buffer.from(sealed, 'base64url'), context));
    return flow.endsAt > now.getTime() ? flow : undefined;
  } catch (error) {
    if (error instanceof Undecipherable) return undefined;
    throw error;
  }
}
