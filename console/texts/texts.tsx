import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { en, type Texts } from './en.js';

interface Language {
  locale: string;
  texts: Texts;
}

/** The languages beside English, loaded where they are used. */
const others: Record<string, () => Promise<Texts>> = {
  de: () => import('./de.js').then(({ de }) => de),
  es: () => import('./es.js').then(({ es }) => es),
};

const TextsContext = createContext<Language>({ locale: 'en', texts: en });

export const useTexts = (): Texts => useContext(TextsContext).texts;
export const useLocale = (): string => useContext(TextsContext).locale;

export const languageOf = (locale: string): string => locale.split('-', 1)[0]?.toLowerCase() ?? '';

/** The locale of the browser's languages that there are texts in. */
function wantedLocale(): string {
  return navigator.languages.find((one) => languageOf(one) === 'en' || languageOf(one) in others) ?? 'en';
}

/** Gives the page the texts of the browser's language. */
export function TextsProvider({ children }: { children: ReactNode }): ReactNode {
  const locale = wantedLocale();
  const load = others[languageOf(locale)];
  const [texts, setTexts] = useState<Texts | undefined>(load === undefined ? en : undefined);
  useEffect(() => {
    document.documentElement.lang = locale;
    load?.().then(setTexts, () => setTexts(en));
  }, [locale, load]);
  if (texts === undefined) return null;
  return <TextsContext value={{ locale, texts }}>{children}</TextsContext>;
}

/** A text with values in its places, such as {name}. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
