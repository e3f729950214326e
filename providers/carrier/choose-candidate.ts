import type { SmsQuery } from './carrier.js';

/**
 * The message that an attempt has become, among those made between its two numbers in its time. The carrier may have
 * changed the text: trial accounts put a sentence before it, and smart encoding replaces typographic characters. Of several
 * with the same text it is the one that was made closest to the claim, and of those the first: another chat may have sent
 * the same words since.
 */
export function chooseCandidate<Listed extends { body: string; dateCreated: Date }>(
  candidates: readonly Listed[],
  { body, claimedAt, soleAttempt = false }: Pick<SmsQuery, 'body' | 'claimedAt' | 'soleAttempt'>,
): Listed | undefined {
  const plain = plainText(body);
  const distance = ({ dateCreated }: Listed) => Math.abs(dateCreated.getTime() - claimedAt.getTime());
  const closest = candidates
    .toSorted((one, other) => one.dateCreated.getTime() - other.dateCreated.getTime())
    .sort((one, other) => distance(one) - distance(other));
  return (
    closest.find((listed) => listed.body === body) ??
    (plain === '' ? undefined : closest.find((listed) => plainText(listed.body).endsWith(plain))) ??
    (soleAttempt && closest.length === 1 ? closest[0] : undefined)
  );
}

/** Letters and digits alone, as no encoding changes them. */
function plainText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}
