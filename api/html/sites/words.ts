/** What pages say beside what editors have written. */
export interface Words {
  skip: string;
  menu: string;
  languages: string;
  newWindow: string;
  table: string;
  notFound: string;
  notFoundText: string;
  gone: string;
  goneText: string;
  goHome: string;
}

const en: Words = {
  skip: 'Skip to the content',
  menu: 'Menu',
  languages: 'Languages',
  newWindow: 'opens in a new window',
  table: 'Table',
  notFound: 'Page not found',
  notFoundText: 'There is no page at this address.',
  gone: 'Page withdrawn',
  goneText: 'This page is no longer available.',
  goHome: 'Go to the first page',
};

const byLanguage: Readonly<Record<string, Words>> = {
  en,
  de: {
    skip: 'Zum Inhalt springen',
    menu: 'Menü',
    languages: 'Sprachen',
    newWindow: 'öffnet ein neues Fenster',
    table: 'Tabelle',
    notFound: 'Seite nicht gefunden',
    notFoundText: 'Unter dieser Adresse gibt es keine Seite.',
    gone: 'Seite zurückgezogen',
    goneText: 'Diese Seite gibt es nicht mehr.',
    goHome: 'Zur Startseite',
  },
  es: {
    skip: 'Saltar al contenido',
    menu: 'Menú',
    languages: 'Idiomas',
    newWindow: 'se abre en una ventana nueva',
    table: 'Tabla',
    notFound: 'Página no encontrada',
    notFoundText: 'No hay ninguna página en esta dirección.',
    gone: 'Página retirada',
    goneText: 'Esta página ya no está disponible.',
    goHome: 'Ir a la página de inicio',
  },
  fr: {
    skip: 'Aller au contenu',
    menu: 'Menu',
    languages: 'Langues',
    newWindow: 'ouvre une nouvelle fenêtre',
    table: 'Tableau',
    notFound: 'Page introuvable',
    notFoundText: 'Il n’y a aucune page à cette adresse.',
    gone: 'Page retirée',
    goneText: 'Cette page n’est plus disponible.',
    goHome: 'Aller à la page d’accueil',
  },
};

/** In the language of a locale, else in English, which `lang` says then. */
export function wordsIn(locale: string): { words: Words; lang: string } {
  const language = new Intl.Locale(locale).language;
  const words = byLanguage[language];
  return words === undefined ? { words: en, lang: 'en' } : { words, lang: locale };
}

/** The name of a language in itself. */
export function languageName(locale: string): string {
  return new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale;
}

const rightToLeft = /^(Adlm|Arab|Hebr|Mand|Nkoo|Rohg|Syrc|Thaa)$/;

export function directionOf(locale: string): 'ltr' | 'rtl' {
  return rightToLeft.test(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr';
}
