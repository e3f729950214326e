/** How long a `Retry-After` header (seconds or a date, RFC 9110) asks to wait; undefined without a usable value. */
export function retryAfterMs(header: unknown, now: number = Date.now()): number | undefined {
  if (typeof header !== 'string' || header.trim() === '') return undefined;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
