import type { Context } from 'koa';
import { canonicalLocale, hasTimezone } from '../../../../domain/lib/locales.js';
import { type Html, html } from '../../../http/html.js';
import { de } from './de.js';
import { en, type Texts } from './en.js';
import { es } from './es.js';
import * as scopeTexts from './scopes.js';

export const languages: Readonly<Record<string, { texts: Texts; scopes: scopeTexts.ScopeTexts }>> = {
  en: { texts: en, scopes: scopeTexts.en },
  de: { texts: de, scopes: scopeTexts.de },
  es: { texts: es, scopes: scopeTexts.es },
};

/** In what language a page is written, and how it writes times. */
export interface Language {
  lang: string;
  texts: Texts;
  scopes: scopeTexts.ScopeTexts;
  locale: string;
  timezone: string;
}

/** The language of the first of these locales that there are texts in; otherwise English. */
export function languageFor(locales: readonly string[], timezone = 'UTC'): Language {
  const languageIn = (locale: string) => locale.split('-', 1)[0]?.toLowerCase() ?? '';
  const locale = locales.find((one) => Object.hasOwn(languages, languageIn(one))) ?? 'en';
  const lang = languageIn(locale);
  const found = languages[lang] ?? { texts: en, scopes: scopeTexts.en };
  return {
    ...found,
    lang,
    locale: canonicalLocale(locale) ?? lang,
    timezone: hasTimezone(timezone) ? timezone : 'UTC',
  };
}

/** The language that the person has chosen, else the one that its browser asks for. */
export function languageOf(
  { headers }: Pick<Context, 'headers'>,
  person?: { locale?: string | null; timezone?: string },
): Language {
  return languageFor([person?.locale ?? [], localesIn(headers['accept-language'])].flat(), person?.timezone);
}

/** The locales of a header `Accept-Language`, the most wanted one first (RFC 9110, 12.5.4). */
export function localesIn(header = ''): string[] {
  const wanted = header.split(',').map((part) => {
    const [locale = '', weight = '1'] = part.trim().split(/\s*;\s*q=/);
    return { locale, weight: Number(weight) };
  });
  return wanted
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ locale }) => locale);
}

type Values = Readonly<Record<string, string | number | Html>>;

const place = /\{(\w+)\}/g;

/** A text with values in its places. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(place, (whole, name: string) => String(values[name] ?? whole));
}

/** The same as HTML, with values that may be HTML. */
export function filledHtml(text: string, values: Values): Html {
  const parts = text.split(place).map((part, at) => (at % 2 === 0 ? part : (values[part] ?? `{${part}}`)));
  return html`${parts}`;
}
