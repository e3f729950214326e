import { AddressSigner } from './address-signer.js';

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

/** Addresses at which anyone can get the bytes of one version of a file for a quarter of an hour. */
export class FileAddresses {
  readonly #signer: AddressSigner;
  readonly #baseUrl: string;

  /**
   * @param secrets the one that signs, and others that signed before it
   * @param baseUrl of the API, such as `https://service.example.com/api/v2`
   */
  constructor(secrets: readonly string[], baseUrl: string) {
    this.#signer = new AddressSigner(secrets, 'addresses of files');
    this.#baseUrl = baseUrl;
  }

  /**
   * The name is for people: the row has the real one.
   * @param seconds how long the address is valid at least: a quarter of an hour unless given
   */
  addressOf(file: SignedFile & { filename: string }, now: Date, seconds?: number): string {
    const { expires, signature } = this.#signer.sign(partsOf(file), now, seconds);
    const { workspaceUuid, fileId, versionNumber, disposition, filename } = file;
    const query = new URLSearchParams({
      version: String(versionNumber),
      disposition,
      expires: String(expires),
      signature,
    });
    // A name of dots would be taken for a folder, and left out of the path.
    const name = /^\.*$/.test(filename) ? 'file' : filename;
    return `${this.#baseUrl}/w/${workspaceUuid}/files/${fileId}/contents/${encodeURIComponent(name)}?${query}`;
  }

  /** Whether a text is where everyone can read a file with the access `public`, as long as it has that access. */
  isOfPublicFile(text: string): boolean {
    const base = `${this.#baseUrl}/w/`;
    if (text.length > 2_048 || !text.startsWith(base)) return false;
    return /^[0-9a-f-]{36}\/sharing\/files\/\d{1,15}\/contents\/[\w.~%!'()*-]+$/i.test(
      text.slice(base.length),
    );
  }

  /** An address that was altered is told apart from one that has expired, in constant time. */
  check(
    { workspaceUuid, fileId }: Pick<SignedFile, 'workspaceUuid' | 'fileId'>,
    { version, disposition, ...signed }: AddressSignature,
    now: Date,
  ): 'valid' | 'expired' | 'altered' {
    const file = { workspaceUuid: workspaceUuid.toLowerCase(), fileId, versionNumber: version, disposition };
    return this.#signer.check(partsOf(file), signed, now);
  }
}

function partsOf({ workspaceUuid, fileId, versionNumber, disposition }: SignedFile): (string | number)[] {
  return [workspaceUuid, fileId, versionNumber, disposition];
}
