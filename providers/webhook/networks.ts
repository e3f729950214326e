import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** In the public range, but served by the local host or its cloud provider. */
const answeredLocally = ['168.63.129.16'];

/** Global unicast, all of IPv6 that is allocated: RFC 4291, section 2.4. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether the text is a network, such as `10.0.0.0/8` or `fd00::/8`. */
export function isNetwork(text: string): boolean {
  return ipaddr.isValidCIDR(text);
}

/**
 * Whether an address belongs to one host on the public internet only. Addresses that embed an IPv4 address (mapped,
 * 6to4, Teredo, NAT64, ISATAP) do not: which host they reach depends on the network of the sender.
 * @param address as DNS or a URL has it; any other text is not public
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parse(address);
  if (parsed === undefined || parsed.range() !== 'unicast' || answeredLocally.includes(address)) return false;
  if (parsed instanceof ipaddr.IPv4) return true;
  return parsed.match(globalUnicast) && !isIsatap(parsed);
}

export class Networks {
  readonly #ranges: readonly [Address, number][];

  /** @param networks such as `10.0.0.0/8`, IPv4 or IPv6 */
  constructor(networks: readonly string[]) {
    this.#ranges = networks.map((network) => ipaddr.parseCIDR(network));
  }

  get none(): boolean {
    return this.#ranges.length === 0;
  }

  has(address: string): boolean {
    const parsed = parse(address);
    if (parsed === undefined) return false;
    return this.#ranges.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits));
  }
}

/** Addresses with a zone (`fe80::1%eth0`) are valid on one link only and are rejected. */
function parse(address: string): Address | undefined {
  return address.includes('%') || !ipaddr.isValid(address) ? undefined : ipaddr.parse(address);
}

/** RFC 5214, section 6.1. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return ((parts[4] ?? 0) & 0xfdff) === 0 && parts[5] === 0x5efe;
}
