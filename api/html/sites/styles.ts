import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { SiteRow } from '../../../db/sites/models/site.js';
import { resolveThemeSettings, type ThemeSettings } from '../../../domain/sites/themes/theme-settings.js';
import { themes } from '../../../domain/sites/themes/themes.js';

const base = readFileSync(createRequire(import.meta.url).resolve('#sites/site.css'), 'utf8');

const colors = [
  ['background', 'background'],
  ['surface', 'surface'],
  ['text', 'text'],
  ['muted', 'muted'],
  ['primary', 'primary'],
  ['onPrimary', 'on-primary'],
  ['link', 'link'],
  ['border', 'border'],
] as const;
const colorForm = /^#[0-9a-f]{6}$/;

const fontStacks: Readonly<Record<string, string>> = {
  sans: 'system-ui, sans-serif',
  serif: 'Georgia, "Times New Roman", serif',
  mono: 'ui-monospace, "Cascadia Mono", Consolas, monospace',
  rounded: 'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Nunito, system-ui, sans-serif',
};

/** The style sheet of a site, and its name, which differs wherever the styles do. */
export function stylesOf(site: Pick<SiteRow, 'theme' | 'themeSettings'>): { name: string; css: string } {
  const css = `${themeOf(site)}\n${base}`;
  return { name: `styles-${createHash('sha256').update(css).digest('base64url')}.css`, css };
}

/** The settings of a theme as CSS. They were checked when they were stored, and are again: nothing else gets in. */
function themeOf({ theme, themeSettings }: Pick<SiteRow, 'theme' | 'themeSettings'>): string {
  const { defaults } = themes[theme];
  const settings = resolveThemeSettings(defaults, themeSettings as ThemeSettings);
  const light = paletteOf(settings.light, defaults.light);
  const dark = paletteOf(settings.dark, defaults.dark);
  const { print = {} } = settings;
  const scheme = settings.colorScheme;
  const rules = [
    `:root{color-scheme:light;${light}`,
    `--body-font:${fontOf(settings.bodyFont)};--heading-font:${fontOf(settings.headingFont)};`,
    `--base-size:${numberOf(settings.baseSize, 14, 24, 17)}px;`,
    `--content-width:${numberOf(settings.contentWidth, 480, 1_600, 760)}px;`,
    `--radius:${numberOf(settings.cornerRadius, 0, 32, 6)}px}`,
  ];
  const darkRule = `:root{color-scheme:dark;${dark}}`;
  if (scheme === 'dark') rules.push(`@media screen{${darkRule}}`);
  else if (scheme !== 'light') rules.push(`@media screen and (prefers-color-scheme:dark){${darkRule}}`);
  rules.push(
    `@page{margin:${numberOf(print.margin, 5, 50, 20)}mm}`,
    `@media print{:root{--print-size:${numberOf(print.fontSize, 8, 24, 11)}pt}`,
    print.showMenu === true ? '' : '.menu{display:none}',
    print.showLinks === false ? '' : 'main a[href^="http"]::after{content:" (" attr(href) ")"}',
    '}',
  );
  return rules.join('');
}

/** The colours that stand for a site. */
export function mainColors({ theme, themeSettings }: Pick<SiteRow, 'theme' | 'themeSettings'>): {
  primary: string | undefined;
  onPrimary: string | undefined;
} {
  const { defaults } = themes[theme];
  const { light } = resolveThemeSettings(defaults, themeSettings as ThemeSettings);
  return {
    primary: colorOr(light?.primary, defaults.light?.primary),
    onPrimary: colorOr(light?.onPrimary, defaults.light?.onPrimary),
  };
}

function colorOr(given: unknown, fallback: string | undefined): string | undefined {
  return colorForm.test(String(given)) ? String(given) : fallback;
}

function paletteOf(given: ThemeSettings['light'], fallback: ThemeSettings['light']): string {
  return colors.map(([field, name]) => `--${name}:${colorOr(given?.[field], fallback?.[field])};`).join('');
}

function fontOf(font: unknown): string {
  return (typeof font === 'string' && Object.hasOwn(fontStacks, font) && fontStacks[font]) || 'sans-serif';
}

function numberOf(given: unknown, min: number, most: number, fallback: number): number {
  return Number.isInteger(given) && Number(given) >= min && Number(given) <= most ? Number(given) : fallback;
}
