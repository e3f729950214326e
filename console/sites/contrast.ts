import type { ThemeSettings } from './queries.js';

type Palette = NonNullable<ThemeSettings['light']>;
export type ColorName = keyof Palette;

/** Text and what it stands on. */
const pairs: readonly (readonly [text: ColorName, ground: ColorName])[] = [
  ['text', 'background'],
  ['text', 'surface'],
  ['muted', 'background'],
  ['link', 'background'],
  ['link', 'surface'],
  ['onPrimary', 'primary'],
];
/** Of text to its background (WCAG 2.2, 1.4.3). */
const leastContrast = 4.5;

/** The texts that are hard to read in a palette. */
export function faintPairs(palette: Palette): (readonly [text: ColorName, ground: ColorName])[] {
  return pairs.filter(([text, ground]) => contrast(palette[text], palette[ground]) < leastContrast);
}

function contrast(one = '#000000', other = '#ffffff'): number {
  const [light = 1, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Of a colour as #rrggbb (https://www.w3.org/TR/WCAG22/#dfn-relative-luminance). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
