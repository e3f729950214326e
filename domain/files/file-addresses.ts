import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '../lib/encryption.js';

/** What a signed address is for. The version is fixed, so that the address always gives the same bytes. */
export interface SignedFile {
  workspaceUuid: string;
  fileId: number;
  versionNumber: number;
  disposition: 'inline' | 'attachment';
}

/** The parts of a signed address that are in its query. */
export interface AddressSignature {
  version: number;
  disposition: 'inline' | 'attachment';
  /** Seconds since 1970. */
  expires: number;
  signature: string;
}

/** How long an address is valid at least, and how much longer at most. */
const validSeconds = 900;
const roundedSeconds = 300;

/**
 * Addresses at which anyone can get the bytes of one version of a file for a quarter of an hour. They need no row: an
 * HMAC says that the service made them (decision 109).
 */
export class FileAddresses {
  readonly #keys: readonly Buffer[];
  readonly #baseUrl: string;

  /**
   * @param secrets the one that signs, and others that signed before it
   * @param baseUrl of the API, such as `https://service.example.com/api/v2`
   */
  constructor(secrets: readonly string[], baseUrl: string) {
    this.#keys = secrets.map((secret) => derivedKey(secret, 'addresses of files'));
    this.#baseUrl = baseUrl;
  }

  /** The same for some minutes, so that browsers can use their copies. The name is for people: the row has the real one. */
  addressOf(file: SignedFile & { filename: string }, now: Date): string {
    const expires = expiryAt(now);
    const [key] = this.#keys;
    if (key === undefined) throw new Error('there is no secret to sign addresses with');
    const { workspaceUuid, fileId, versionNumber, disposition, filename } = file;
    const query = new URLSearchParams({
      version: String(versionNumber),
      disposition,
      expires: String(expires),
      signature: sign(key, file, expires).toString('base64url'),
    });
    // A name of dots would be taken for a folder, and left out of the path.
    const name = /^\.*$/.test(filename) ? 'file' : filename;
    return `${this.#baseUrl}/w/${workspaceUuid}/files/${fileId}/contents/${encodeURIComponent(name)}?${query}`;
  }

  /** An address that was altered is told apart from one that has expired, in constant time. */
  check(
    { workspaceUuid, fileId }: Pick<SignedFile, 'workspaceUuid' | 'fileId'>,
    { version, disposition, expires, signature }: AddressSignature,
    now: Date,
  ): 'valid' | 'expired' | 'altered' {
    const given = Buffer.from(signature, 'base64url');
    const file = { workspaceUuid: workspaceUuid.toLowerCase(), fileId, versionNumber: version, disposition };
    const isOurs = this.#keys
      .map((key) => sign(key, file, expires))
      .map((expected) => given.length === expected.length && timingSafeEqual(given, expected));
    if (!isOurs.includes(true)) return 'altered';
    return expires * 1_000 > now.getTime() ? 'valid' : 'expired';
  }
}

/** When the addresses of this moment begin to be valid, and for how long they are: the same for some minutes. */
export function validityAt(now: Date): { from: Date; seconds: number } {
  const rounded = roundedSeconds * 1_000;
  const from = new Date(Math.floor(now.getTime() / rounded) * rounded);
  return { from, seconds: roundedSeconds + validSeconds };
}

function expiryAt(now: Date): number {
  const { from, seconds } = validityAt(now);
  return from.getTime() / 1_000 + seconds;
}

function sign(key: Buffer, file: SignedFile, expires: number): Buffer {
  const { workspaceUuid, fileId, versionNumber, disposition } = file;
  const text = [workspaceUuid, fileId, versionNumber, disposition, expires].join('\n');
  return createHmac('sha256', key).update(text).digest();
}
