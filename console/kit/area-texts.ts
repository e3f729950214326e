import { use } from 'react';
import { languageOf, useLocale } from '../texts/texts.js';

/**
 * The words of one area of the console, which are loaded with its pages: English at once, the others where they are used.
 * @returns the hook that the components of the area take them by; below a Suspense boundary, as all pages are
 */
export function areaTexts<T>(en: T, others: Readonly<Record<'de' | 'es', () => Promise<T>>>): () => T {
  const loaded = new Map<string, Promise<T>>();
  return () => {
    const language = languageOf(useLocale());
    if (language !== 'de' && language !== 'es') return en;
    const known = loaded.get(language) ?? others[language]().catch(() => en);
    loaded.set(language, known);
    return use(known);
  };
}
