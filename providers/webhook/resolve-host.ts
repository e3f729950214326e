import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** Returns all addresses of a name; an empty list if it has none. Throws if DNS does not answer. */
export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

export interface DnsSettings {
  /** Addresses of DNS servers, with their ports; absent: the system's. */
  servers?: readonly string[];
  /** Timeout per server; a server that does not answer is queried once more. */
  patienceMs?: number;
  /** Time limit for the whole look-up, for all servers together. */
  deadlineMs?: number;
}

/**
 * Queries DNS directly. `getaddrinfo` would occupy one of the few threads of the process for as long as a receiver's
 * slow name server takes, and `/etc/hosts` must not apply to receivers.
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

/** Whether the error means that the name has no addresses of this kind. */
function hasNone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
