/** What the account pays: a decimal number, and an ISO 4217 code. */
export interface CarrierPrice {
  amount: string;
  currency: string;
}

/** The carrier's price is what it changes the balance by, and so negative; its currency may be in small letters. */
export function priceOf({
  price,
  priceUnit,
}: {
  price: string | null;
  priceUnit: string | null;
}): CarrierPrice | undefined {
  const amount = /^-?(\d{1,9}(?:\.\d{1,9})?)$/.exec(price ?? '')?.[1];
  const currency = priceUnit?.toUpperCase() ?? '';
  return amount !== undefined && /^[A-Z]{3}$/.test(currency) ? { amount, currency } : undefined;
}
