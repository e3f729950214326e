/** The languages that the carrier speaks texts of calls in, by the language of a locale, with what callers are told by default. */
const closedTexts = {
  da: ['da-DK', 'Tak for dit opkald. Vi er lukket lige nu. Ring venligst igen i vores åbningstid.'],
  de: [
    'de-DE',
    'Vielen Dank für Ihren Anruf. Wir haben gerade geschlossen. Bitte rufen Sie zu unseren Öffnungszeiten wieder an.',
  ],
  en: [
    'en-US',
    'Thank you for calling. We are closed at the moment. Please call again during our opening hours.',
  ],
  es: [
    'es-ES',
    'Gracias por llamar. En este momento está cerrado. Por favor, vuelva a llamar en nuestro horario de atención.',
  ],
  fi: ['fi-FI', 'Kiitos soitostasi. Olemme nyt suljettuna. Soita uudelleen aukioloaikoinamme.'],
  fr: [
    'fr-FR',
    'Merci de votre appel. Nous sommes actuellement fermés. Veuillez rappeler pendant nos heures d’ouverture.',
  ],
  it: [
    'it-IT',
    'Grazie per la chiamata. In questo momento siamo chiusi. La preghiamo di richiamare durante i nostri orari di apertura.',
  ],
  nb: ['nb-NO', 'Takk for at du ringer. Vi har stengt akkurat nå. Ring gjerne igjen i åpningstiden.'],
  nl: [
    'nl-NL',
    'Bedankt voor uw telefoontje. We zijn op dit moment gesloten. Belt u terug tijdens onze openingstijden.',
  ],
  pl: [
    'pl-PL',
    'Dziękujemy za telefon. W tej chwili mamy zamknięte. Prosimy zadzwonić w godzinach otwarcia.',
  ],
  pt: [
    'pt-BR',
    'Obrigado por ligar. No momento estamos fechados. Ligue novamente durante o nosso horário de atendimento.',
  ],
  sv: ['sv-SE', 'Tack för ditt samtal. Vi har stängt just nu. Ring gärna igen under våra öppettider.'],
} as const satisfies Record<string, readonly [string, string]>;

type Known = (typeof closedTexts)[keyof typeof closedTexts];

function knownFor(locale: string): Known | undefined {
  const { language } = new Intl.Locale(locale);
  return Object.hasOwn(closedTexts, language) ? closedTexts[language as keyof typeof closedTexts] : undefined;
}

export interface SpokenText {
  text: string;
  /** Absent: the carrier may not have it, and speaks as it does usually. */
  language?: string;
}

/** What a caller is told by default outside of business hours: in the language of the locale, or in English. */
export function defaultClosedText(locale: string): SpokenText {
  const [language, text] = knownFor(locale) ?? closedTexts.en;
  return { text, language };
}

/** A text of the workspace, which is taken to be in the language of its locale. */
export function textInLocale(text: string, locale: string): SpokenText {
  const known = knownFor(locale);
  return { text, ...(known === undefined ? {} : { language: known[0] }) };
}
