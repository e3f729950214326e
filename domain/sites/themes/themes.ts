import type { SiteTheme } from '../../../db/sites/sites.js';
import { resolveThemeSettings, type ThemeSettings } from './theme-settings.js';

/** A look of sites. */
export interface Theme {
  name: string;
  description: string;
  /** Every setting has one. */
  defaults: ThemeSettings;
}

const base: ThemeSettings = {
  colorScheme: 'auto',
  bodyFont: 'sans',
  headingFont: 'sans',
  baseSize: 17,
  contentWidth: 760,
  cornerRadius: 6,
  showTagLine: true,
  showLogo: true,
  light: {
    background: '#ffffff',
    surface: '#f4f5f7',
    text: '#1b1f24',
    muted: '#57606a',
    primary: '#0b5cad',
    onPrimary: '#ffffff',
    link: '#0b5cad',
    border: '#d0d7de',
  },
  dark: {
    background: '#12161b',
    surface: '#1c2229',
    text: '#e8ebee',
    muted: '#a3adb8',
    primary: '#6cb2f7',
    onPrimary: '#0b1a2a',
    link: '#8cc4fb',
    border: '#3a434d',
  },
  print: { fontSize: 11, margin: 20, showLinks: true, showMenu: false },
};

const changed = (settings: ThemeSettings) => resolveThemeSettings(base, settings);

/** The themes of the specification. Text stands out from its background by at least 4.5 : 1 in each (WCAG 2.2, AA). */
export const themes: Readonly<Record<SiteTheme, Theme>> = {
  default: { name: 'Default', description: 'Plain pages with much white.', defaults: base },
  'admin-clinical-trial': {
    name: 'Clinical trial, for staff',
    description: 'Dense pages for people who run a study.',
    defaults: changed({ baseSize: 15, contentWidth: 1_100, cornerRadius: 2, showTagLine: false }),
  },
  'customer-basic': {
    name: 'Customer',
    description: 'Warm colours, for customers of a small business.',
    defaults: changed({
      headingFont: 'serif',
      light: { primary: '#9a3412', link: '#9a3412', surface: '#fdf6ef' },
      dark: { primary: '#fdba74', link: '#fdba74', onPrimary: '#2b1305' },
    }),
  },
  'patient-engagement-demo': {
    name: 'Patient engagement',
    description: 'Large text and calm colours, for patients.',
    defaults: changed({
      bodyFont: 'rounded',
      headingFont: 'rounded',
      baseSize: 19,
      cornerRadius: 12,
      light: { primary: '#0f6b5c', link: '#0f6b5c', surface: '#eef7f5' },
      dark: { primary: '#6fd3c2', link: '#6fd3c2', onPrimary: '#06241f' },
    }),
  },
  'operator-product': {
    name: 'Product, for operators',
    description: 'Wide pages for people who work with the product all day.',
    defaults: changed({ contentWidth: 1_280, cornerRadius: 4, baseSize: 15, colorScheme: 'dark' }),
  },
  'source-site': {
    name: 'Source',
    description: 'As plain as pages that are read by programs: what a crawl has brought here.',
    defaults: changed({ bodyFont: 'serif', cornerRadius: 0, showTagLine: false }),
  },
};

/** All themes, in the order of the specification. */
export function listThemes(): (Theme & { theme: SiteTheme })[] {
  return (Object.keys(themes) as SiteTheme[]).map((theme) => ({ theme, ...themes[theme] }));
}
