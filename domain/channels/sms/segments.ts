/** The GSM 7-bit alphabet (3GPP TS 23.038), and the characters that take two places in it. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extended = new Set('^{}\\[~]|€\f');

/** What one SMS holds, and each of several that make up a text, in places of its alphabet. */
const gsm = { alone: 160, together: 153 };
const ucs2 = { alone: 70, together: 67 };

/** Whether a text is sent in the GSM alphabet. */
export function isGsm(text: string): boolean {
  return [...text].every((character) => basic.has(character) || extended.has(character));
}

/** Counts the SMS that a text is sent as: carriers charge them and limit how many a number sends in a second. */
export function countSegments(text: string): number {
  const characters = [...text];
  const inGsm = isGsm(text);
  const places = inGsm
    ? (character: string) => (extended.has(character) ? 2 : 1)
    : ({ length }: string) => length;
  const { alone, together } = inGsm ? gsm : ucs2;
  let segments = 1;
  let used = 0;
  let all = 0;
  for (const character of characters) {
    const needed = places(character);
    all += needed;
    // A character that takes two places is in one SMS.
    if (used + needed > together) {
      segments += 1;
      used = 0;
    }
    used += needed;
  }
  return all <= alone ? 1 : segments;
}
