/** What an address has, in any width: mail programs show a name with it as if it were the address. */
const partOfAddress = /[<>@]/;

/** Whether a text can be taken for an address, or has one in it. */
export function looksLikeAddress(name: string): boolean {
  return partOfAddress.test(name.normalize('NFKC'));
}

/** A stored name as it is sent: without what an address has. */
export function senderName(name: string): string {
  const kept = [...name].map((sign) => (looksLikeAddress(sign) ? ' ' : sign));
  return kept.join('').replaceAll(/\s+/g, ' ').trim();
}
