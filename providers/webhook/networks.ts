import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** In the public range, but answered by the machine or the cloud it stands in. */
const answeredLocally = ['168.63.129.16'];

/** Global unicast, all that IPv6 has handed out: RFC 4291, section 2.4. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether the text names a network, such as `10.0.0.0/8` or `fd00::/8`. */
export function isNetwork(text: string): boolean {
  return ipaddr.isValidCIDR(text);
}

/**
 * Whether an address belongs to one host on the public internet and to nothing else. Addresses that carry an IPv4
 * address within (mapped, 6to4, Teredo, NAT64, ISATAP) do not, whatever they carry: who is reached by them depends on
 * where one stands.
 *
 * @param address as DNS or a URL has it; anything else is not public
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parse(address);
  if (parsed === undefined || parsed.range() !== 'unicast' || answeredLocally.includes(address)) return false;
  if (parsed instanceof ipaddr.IPv4) return true;
  return parsed.match(globalUnicast) && !isIsatap(parsed);
}

/** Networks that somebody named. */
export class Networks {
  readonly #ranges: readonly [Address, number][];

  /** @param networks such as `10.0.0.0/8`, of both kinds */
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

/** Addresses of a zone (`fe80::1%eth0`) are those of one link, and none here. */
function parse(address: string): Address | undefined {
  return address.includes('%') || !ipaddr.isValid(address) ? undefined : ipaddr.parse(address);
}

/** RFC 5214, section 6.1. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return ((parts[4] ?? 0) & 0xfdff) === 0 && parts[5] === 0x5efe;
}
