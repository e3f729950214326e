/** The basic and extended characters of GSM 03.38; an extended character counts twice. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const EXTENDED = new Set('^{}\\[~]|€');

/** The number of SMS segments of a text: 160 or 70 characters alone, 153 or 67 in each part of several. */
export function segments(text: string): number {
  const characters = [...text];
  const gsm = characters.every((character) => BASIC.has(character) || EXTENDED.has(character));
  const places = gsm ? characters.length + characters.filter((one) => EXTENDED.has(one)).length : text.length;
  const [alone, chained] = gsm ? [160, 153] : [70, 67];
  return places <= alone ? 1 : Math.ceil(places / chained);
}
