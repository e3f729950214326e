import type { SettingsTexts } from './en.js';

/** Die Worte der Einstellungen auf Deutsch. */
export const de: SettingsTexts = {
  title: 'Einstellungen',
  nothing: 'Hier ist nichts, was Ihre Rolle sehen darf.',

  sections: {
    workspace: {
      name: 'Arbeitsbereich',
      help: 'Name, Sprache, Zeitzone und Adressen; alles für eine Weile anhalten',
    },
    people: { name: 'Personen', help: 'Wer hier arbeitet: Rollen, Sitzungen und Tokens' },
    roles: { name: 'Rollen', help: 'Was jede Rolle darf' },
    assistants: { name: 'Assistenten', help: 'Wer antwortet, wo es kein Mensch tut: Modelle und Stimmen' },
    mcpServers: { name: 'MCP-Server', help: 'Server anderer, deren Werkzeuge Agenten benutzen dürfen' },
    secrets: { name: 'Geheimnisse', help: 'Werte, die Anfragen von Agenten mitführen und niemand sieht' },
  },

  save: 'Speichern',
  saving: 'Wird gespeichert …',
  saved: 'Gespeichert.',
  undo: 'Rückgängig',
  changedMeanwhile:
    'Jemand anderes hat dies inzwischen geändert. „Speichern“ setzt Ihres an die Stelle; „Rückgängig“ zeigt, was jetzt da ist.',
  readOnly: 'Ihre Rolle darf dies lesen, aber nicht ändern.',

  name: 'Name',
  slug: 'Kurzname',
  slugHint: 'Des Arbeitsbereichs in Adressen: Kleinbuchstaben, Ziffern und Bindestriche.',
  locale: 'Sprache',
  localeHint: 'Zum Beispiel de-DE. In ihr wird Mitgliedern ohne eigene Sprache geschrieben.',
  timezone: 'Zeitzone',
  timezoneHint: 'Der Öffnungszeiten, Ruhezeiten, Zahlen und des Monats beim Budget.',
  country: 'Land',
  countryHint: 'Von Telefonnummern, die ohne Landesvorwahl geschrieben sind.',
  postalAddress: 'Postanschrift',
  postalAddressHint:
    'In einer Zeile. Sie steht unter E-Mails, die man abbestellen kann, wie Gesetze es verlangen.',
  programs: 'Webseiten und Programme',
  allowedOrigins: 'Seiten, die den Arbeitsbereich aufrufen dürfen',
  allowedOriginsHint:
    'Je Zeile eine, zum Beispiel https://app.example.com. Etwa für den Chat auf Ihren eigenen Webseiten.',
  requestHosts: 'Server, die Assistenten anfragen dürfen',
  requestHostsHint:
    'Je Zeile einer, zum Beispiel api.example.com. Anderswohin senden Assistenten keine Anfragen.',

  hold: 'Alles anhalten',
  holdHelp:
    'Assistenten antworten nicht, und Erinnerungen, Nachfragen, Nachrichten und Anrufe warten, auch die von Kolleginnen und Kollegen. Was Mitglieder schreiben, bleibt erhalten, und jemand aus dem Team wird gebeten nachzusehen. Alles geht einmal weiter, wenn das Anhalten endet.',
  holdReason: 'Warum',
  holdReasonHint: 'Für Kolleginnen und Kollegen.',
  holdUntil: 'Bis',
  holdUntilHint: 'Ohne Zeitpunkt, bis jemand es beendet.',
  heldSince: 'Alles ist angehalten seit',
  heldBy: 'Von',
  heldUntil: 'Bis',
  untilEnded: 'jemand es beendet',
  notHeld: 'Nichts ist angehalten.',
  resume: 'Weiterlaufen lassen',
  resumeHelp:
    'Was wartet, geht nach und nach weiter: Antworten, Erinnerungen, Nachrichten und Anrufe, einige hundert je Sekunde.',
  changeHold: 'Anhalten ändern',
};
