import { AddressSigner } from '../../files/address-signer.js';

/** What a signed address of an archive is for. */
export interface SignedArchive {
  workspaceUuid: string;
  memberId: number;
  exportUuid: string;
}

/** The parts of such an address that are in its query. */
export interface ArchiveSignature {
  export: string;
  /** Seconds since 1970. */
  expires: number;
  signature: string;
}

/** Addresses at which anyone can get an archive for a quarter of an hour, and no longer than it is kept. */
export class ArchiveAddresses {
  readonly #signer: AddressSigner;
  readonly #baseUrl: string;

  /**
   * @param secrets the one that signs, and others that signed before it
   * @param baseUrl of the API, such as `https://service.example.com/api/v2`
   */
  constructor(secrets: readonly string[], baseUrl: string) {
    this.#signer = new AddressSigner(secrets, 'addresses of archives');
    this.#baseUrl = baseUrl;
  }

  addressOf(archive: SignedArchive, now: Date): string {
    const { expires, signature } = this.#signer.sign(partsOf(archive), now);
    const { workspaceUuid, memberId, exportUuid } = archive;
    const query = new URLSearchParams({ export: exportUuid, expires: String(expires), signature });
    return `${this.#baseUrl}/w/${workspaceUuid}/members/${memberId}/data-export/contents?${query}`;
  }

  /** An address that was altered is told apart from one that has expired, in constant time. */
  check(
    { workspaceUuid, memberId }: Pick<SignedArchive, 'workspaceUuid' | 'memberId'>,
    { export: exportUuid, ...signed }: ArchiveSignature,
    now: Date,
  ): 'valid' | 'expired' | 'altered' {
    const archive = {
      workspaceUuid: workspaceUuid.toLowerCase(),
      memberId,
      exportUuid: exportUuid.toLowerCase(),
    };
    return this.#signer.check(partsOf(archive), signed, now);
  }
}

function partsOf({ workspaceUuid, memberId, exportUuid }: SignedArchive): (string | number)[] {
  return [workspaceUuid, memberId, exportUuid];
}
