import { isIP } from 'node:net';
import { canonicalDomain } from '../../../domain/sites/domains/domain-name.js';

/** Names that no public domain ends with: those of machines in networks of their own (RFC 6761, RFC 6762, ICANN's .internal). */
const privateSuffix = /(^|\.)(localhost|local|internal)$/;

/** Who is asked by a `Host`: the service itself, a domain, which may be that of a site, or a name that is neither. */
export type AskedHost = 'service' | { domain: string } | 'unknown';

/**
 * Returns what reads the header `Host`. Without a public domain in it, such as at addresses, in containers and in tests, the
 * service itself is asked. `X-Forwarded-Host` counts for nothing: callers can send it.
 */
export function hostReader(publicUrl: string): (header: string | undefined) => AskedHost {
  const { host: own, hostname } = new URL(publicUrl);
  return (header) => {
    if (header === undefined || header === own) return 'service';
    const name = header.replace(/:\d*$/, '').toLowerCase().replace(/\.$/, '');
    if (name === hostname || name.endsWith(`.${hostname}`)) return 'service';
    if (isIP(name.replace(/^\[|\]$/g, '')) !== 0 || !name.includes('.') || privateSuffix.test(name)) {
      return 'service';
    }
    const domain = canonicalDomain(name);
    return domain === undefined ? 'unknown' : { domain };
  };
}
