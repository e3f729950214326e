import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress, Networks } from './networks.js';
import { type ResolveHost, resolveHost } from './resolve-host.js';
import {
  type AddressProblem,
  isLocalhost,
  isLocalName,
  readWebhookUrl,
  UnusableAddress,
  type WebhookTarget,
} from './webhook-url.js';

export interface AddressPolicyOptions {
  requireHttps: boolean;
  /** Networks such as `10.0.0.0/8` whose addresses are allowed although they are not public. */
  allowedNetworks: readonly string[];
  resolve?: ResolveHost;
}

const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Restricts where webhooks may go: to public addresses, and into networks that the operator allows. The check of every
 * connection protects; the one when an address is saved is early feedback.
 */
export class AddressPolicy {
  readonly #requireHttps: boolean;
  readonly #allowed: Networks;
  readonly #resolve: ResolveHost;

  constructor({ requireHttps, allowedNetworks, resolve = resolveHost }: AddressPolicyOptions) {
    this.#requireHttps = requireHttps;
    this.#allowed = new Networks(allowedNetworks);
    this.#resolve = resolve;
  }

  /**
   * Returns the problem with a receiver's URL. A name that does not resolve now passes: each connection resolves it.
   */
  async check(url: string): Promise<AddressProblem | undefined> {
    try {
      await this.addressesOf(this.target(url).hostname);
      return undefined;
    } catch (error) {
      if (!(error instanceof UnusableAddress)) throw error;
      return error.problem === notFound ? undefined : error.problem;
    }
  }

  /** Returns the problem with a host, given as a name or an address. A name that does not resolve now passes. */
  async checkHost(host: string): Promise<AddressProblem | undefined> {
    return this.check(`${this.#requireHttps ? 'https' : 'http'}://${host}/`);
  }

  /** @throws UnusableAddress */
  target(url: string): WebhookTarget {
    return readWebhookUrl(url, this.#requireHttps);
  }

  /**
   * Returns the addresses of a host. If one of them is not allowed, all are refused: a host with both kinds is suspect.
   * @throws UnusableAddress
   */
  async addressesOf(hostname: string): Promise<LookupAddress[]> {
    const found = await this.#find(hostname);
    if (found.length === 0) throw new UnusableAddress(notFound);
    const local = isLocalName(hostname);
    const usable = ({ address }: LookupAddress) =>
      this.#allowed.has(address) || (!local && isPublicAddress(address));
    if (!found.every(usable)) throw new UnusableAddress(refused);
    return found;
  }

  /** The look-up for `node:net`, which connects only to the addresses it returns: there is no second query of DNS. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.addressesOf(hostname).then(
      (found) => {
        const [first] = found;
        if (options.all || first === undefined) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, []),
    );
  };

  async #find(hostname: string): Promise<LookupAddress[]> {
    const family = isIP(hostname);
    if (family !== 0) return [{ address: hostname, family }];
    if (isLocalName(hostname) && this.#allowed.none) throw new UnusableAddress(refused);
    if (isLocalhost(hostname)) {
      const allowed = loopback.filter(({ address }) => this.#allowed.has(address));
      return allowed.length === 0 ? [...loopback] : allowed;
    }
    return this.#resolve(hostname).catch(() => {
      throw new UnusableAddress(notFound);
    });
  }
}

const refused: AddressProblem = {
  code: 'address_refused',
  detail: 'The address is not one on the public internet.',
};

const notFound: AddressProblem = { code: 'dns_failed', detail: 'The name of the host could not be found.' };
