import { withoutMarkdown } from '../../lib/markdown/plain.js';
import { isGsm } from './segments.js';

/** Typographic signs, and the ones of the GSM alphabet that say the same. */
const equivalents: [typographic: RegExp, plain: string][] = [
  [/[‘’‚‛′ʹʼ´`]/g, "'"],
  [/[“”„‟″«»]/g, '"'],
  [/[‐‑‒–—―−]/g, '-'],
  [/…/g, '...'],
  [/[•‣◦∙·]/g, '-'],
  [/[\t\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' '],
  [/[\u2028\u2029]/g, '\n'],
  [/[\u00ad\u200b\u2060\ufeff]/g, ''],
];

/**
 * What is sent of a message by SMS; what is stored stays as it was written. Typographic signs, of which one makes a text take
 * up to three times as many SMS, are sent as those of the GSM alphabet if then all of it is in that alphabet: beside a letter
 * that is not, nothing would be won.
 */
export function smsText(message: string): string {
  const text = withoutMarkdown(message);
  const plain = equivalents.reduce(
    (made, [typographic, sign]) => made.replace(typographic, sign),
    text.normalize('NFC'),
  );
  return isGsm(plain) ? plain : text;
}
