import type { SmsQuery } from './carrier.js';

/**
 * The message that an attempt has become, among those made between its two numbers in its time. The carrier may have
 * changed the text: trial accounts put a sentence before it, and smart encoding replaces typographic characters.
 */
export function chooseCandidate<Listed extends { body: string }>(
  candidates: readonly Listed[],
  { body, soleAttempt = false }: Pick<SmsQuery, 'body' | 'soleAttempt'>,
): Listed | undefined {
  const plain = plainText(body);
  return (
    candidates.find((listed) => listed.body === body) ??
    (plain === '' ? undefined : candidates.find((listed) => plainText(listed.body).endsWith(plain))) ??
    (soleAttempt && candidates.length === 1 ? candidates[0] : undefined)
  );
}

/** Letters and digits alone, as no encoding changes them. */
function plainText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}
