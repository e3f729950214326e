import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '../lib/encryption.js';

/** The stream that a token admits: that of one attempt to hold a call. */
export interface StreamPlace {
  workspaceUuid: string;
  callUuid: string;
  attempt: number;
}

/**
 * One-time tokens of streams. The same attempt has the same token, so that the answer to the carrier is the same however
 * often it is fetched; that its stream has begun is in the row of the bridge (docs/decisions/0145-media-processes.md).
 */
export class StreamTokens {
  readonly #keys: readonly Buffer[];

  /** @param secrets the one that signs, and others that signed before it */
  constructor(secrets: readonly string[]) {
    this.#keys = secrets.map((secret) => derivedKey(secret, 'tokens of call streams'));
  }

  make(place: StreamPlace): string {
    const [key] = this.#keys;
    if (key === undefined) throw new Error('there is no secret to sign tokens with');
    return digest(key, place).toString('base64url');
  }

  /** In constant time. */
  isFor(token: string, place: StreamPlace): boolean {
    const given = Buffer.from(token, 'base64url');
    const matches = this.#keys
      .map((key) => digest(key, place))
      .map((expected) => given.length === expected.length && timingSafeEqual(given, expected));
    return matches.includes(true);
  }
}

function digest(key: Buffer, { workspaceUuid, callUuid, attempt }: StreamPlace): Buffer {
  return createHmac('sha256', key).update(`${workspaceUuid}\n${callUuid}\n${attempt}`).digest();
}
