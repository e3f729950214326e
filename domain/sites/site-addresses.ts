import { AddressSigner } from '../files/address-signer.js';
import { parseUrl } from '../lib/parse-url.js';

/** What a token lets its holder read: one version of a file, through one site. */
export interface SiteFileToken {
  workspaceUuid: string;
  siteUuid: string;
  fileId: number;
  version: number;
}

const tokenForm = /^([1-9]\d{0,9})\.([1-9]\d{9,10})\.([\w-]{43})$/;

/** Addresses of sites at the service, and the tokens of their files. */
export class SiteAddresses {
  readonly #publicUrl: string;
  readonly #apiUrl: string;
  readonly #signer: AddressSigner;
  /** The host of the service, which is nobody's domain. */
  readonly host: string;

  /**
   * @param secrets the one that signs, and others that signed before it
   * @param publicUrl such as `https://service.example.com`
   * @param apiUrl such as `https://service.example.com/api/v2`
   */
  constructor(secrets: readonly string[], publicUrl: string, apiUrl: string) {
    this.#publicUrl = publicUrl;
    this.#apiUrl = apiUrl;
    this.#signer = new AddressSigner(secrets, 'files of sites');
    this.host = parseUrl(publicUrl)?.hostname ?? publicUrl;
  }

  /** Where the service itself shows a site. */
  defaultUrl(siteUuid: string): string {
    return `${this.#publicUrl}/s/${siteUuid}`;
  }

  /** Where everybody reads a file whose access is `public`. It stays the same. */
  publicFile({
    workspaceUuid,
    fileId,
    filename,
  }: {
    workspaceUuid: string;
    fileId: number;
    filename: string;
  }): string {
    return `${this.#apiUrl}/w/${workspaceUuid}/sharing/files/${fileId}/contents/${nameInPath(filename)}`;
  }

  /** An address at which anyone reads one version of a file of a site for a quarter of an hour. */
  fileWithToken(
    file: SiteFileToken & { filename: string },
    now: Date,
  ): { url: string; token: string; expiresAt: Date } {
    const { expires, signature } = this.#signer.sign(partsOf(file), now);
    const token = `${file.version}.${expires}.${signature}`;
    const { workspaceUuid, siteUuid, fileId, filename } = file;
    const path = `s/${workspaceUuid}/${siteUuid}/files/${fileId}/contents/${nameInPath(filename)}`;
    return { url: `${this.#apiUrl}/${path}?token=${token}`, token, expiresAt: new Date(expires * 1_000) };
  }

  /** What a token says, if the service made it for this file of this site. */
  readToken(
    token: string,
    file: Omit<SiteFileToken, 'version'>,
    now: Date,
  ): { version: number; state: 'valid' | 'expired' } | undefined {
    const [, number, until, signature] = tokenForm.exec(token) ?? [];
    if (number === undefined || until === undefined || signature === undefined) return undefined;
    const version = Number(number);
    const signed = { expires: Number(until), signature };
    const state = this.#signer.check(partsOf({ ...file, version }), signed, now);
    return state === 'altered' ? undefined : { version, state };
  }
}

function partsOf({ workspaceUuid, siteUuid, fileId, version }: SiteFileToken): (string | number)[] {
  return [workspaceUuid.toLowerCase(), siteUuid.toLowerCase(), fileId, version];
}

/** A name of dots would be taken for a folder, and left out of the path. */
function nameInPath(filename: string): string {
  return encodeURIComponent(/^\.*$/.test(filename) ? 'file' : filename);
}
