/** What the carrier asks for a started minute of a call, as the installation knows it. */
export interface CallPrices {
  /** ISO 4217. */
  currency: string;
  /** Of incoming calls, of outgoing ones, and of outgoing ones to countries (ISO 3166 alpha-2). */
  perMinute: ReadonlyMap<string, number>;
}

const form = /^(inbound|outbound|[A-Z]{2})=(\d{1,4}(?:\.\d{1,6})?)$/;

/** Reads prices such as `USD inbound=0.0085 outbound=0.014 GB=0.03`; undefined for another form. */
export function parseCallPrices(text: string): CallPrices | undefined {
  const [currency = '', ...parts] = text.trim().split(/\s+/);
  if (!/^[A-Z]{3}$/.test(currency) || parts.length === 0) return undefined;
  const perMinute = new Map<string, number>();
  for (const part of parts) {
    const [, name, price] = form.exec(part) ?? [];
    if (name === undefined || perMinute.has(name)) return undefined;
    perMinute.set(name, Number(price));
  }
  return { currency, perMinute };
}
