/** Writes the decimal digits of all scripts as ASCII digits. Superscripts and circled digits are none: they may be footnotes. */
export function asciiDigits(text: string): string {
  return text.replace(/[^\P{Nd}0-9]/gu, (digit) => String(digitValue(digit.codePointAt(0) as number)));
}

/** Unicode keeps the ten digits of a script together and in order, so that the place within their run is the value. */
function digitValue(codePoint: number): number {
  let first = codePoint;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (codePoint - first) % 10;
}
