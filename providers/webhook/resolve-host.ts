import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** All addresses of a name; none where it has none. Throws where nobody could tell. */
export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

export interface DnsSettings {
  /** Addresses of DNS servers, with their ports; absent: the system's. */
  servers?: readonly string[];
  /** A server that has not answered by then is asked once more. */
  patienceMs?: number;
  /** For the whole answer, however many servers there are. */
  deadlineMs?: number;
}

/**
 * Asks DNS itself. The system's own `getaddrinfo` would occupy one of the few threads of the process for as long as the
 * slowest server of a receiver likes, and `/etc/hosts` is nothing that receivers should be looked up in.
 */
export async function resolveHost(
  hostname: string,
  { servers, patienceMs = 2_000, deadlineMs = 6_000 }: DnsSettings = {},
): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: patienceMs, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  const deadline = setTimeout(() => resolver.cancel(), deadlineMs);
  try {
    const results = await Promise.allSettled([
      resolver.resolve4(hostname).then((found) => found.map((address) => ({ address, family: 4 }))),
      resolver.resolve6(hostname).then((found) => found.map((address) => ({ address, family: 6 }))),
    ]);
    const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    const unanswered = results.find((result) => result.status === 'rejected' && !hasNone(result.reason));
    if (found.length === 0 && unanswered?.status === 'rejected') throw unanswered.reason;
    return found;
  } finally {
    clearTimeout(deadline);
  }
}

/** Whether the error says that the name has no addresses of this kind. */
function hasNone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
