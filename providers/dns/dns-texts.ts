import { Resolver } from 'node:dns/promises';

export interface DnsTextsOptions {
  /** Addresses of DNS servers, with their ports; absent: the system's. */
  servers?: readonly string[] | undefined;
  /** Timeout per server; a server that does not answer is asked once more. */
  patienceMs?: number;
  /** Time limit for the whole look-up, for all servers together. */
  deadlineMs?: number;
}

type Found = { kind: 'found'; texts: string[] } | { kind: 'none' } | { kind: 'unavailable' };

const maxTexts = 50;

/** Looks up TXT records, with a resolver of its own for each look-up, so that a slow one holds up no other. */
export class DnsTexts {
  readonly #options: DnsTextsOptions;

  constructor(options: DnsTextsOptions = {}) {
    this.#options = options;
  }

  /** The first texts of a name, each joined from its parts (RFC 7208, 3.3). */
  async textsOf(name: string): Promise<Found> {
    const { servers, patienceMs = 2_000, deadlineMs = 6_000 } = this.#options;
    const resolver = new Resolver({ timeout: patienceMs, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const deadline = setTimeout(() => resolver.cancel(), deadlineMs);
    try {
      const records = await resolver.resolveTxt(name);
      return { kind: 'found', texts: records.slice(0, maxTexts).map((parts) => parts.join('')) };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      return { kind: code === 'ENOTFOUND' || code === 'ENODATA' ? 'none' : 'unavailable' };
    } finally {
      clearTimeout(deadline);
    }
  }
}
