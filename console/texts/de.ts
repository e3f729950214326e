import type { Texts } from './en.js';

/** Die Worte der Konsole auf Deutsch. */
export const de: Texts = {
  skip: 'Zum Inhalt springen',
  navigation: 'Navigation',
  home: 'Start',
  inbox: 'Posteingang',
  settings: 'Ihr Konto',
  signIn: 'Anmelden',
  signOut: 'Abmelden',
  signInAgain: 'Erneut anmelden',
  sessionEnded: 'Ihre Sitzung ist beendet. Was Sie geschrieben haben, bleibt in diesem Browser.',
  notSignedIn: 'Sie sind nicht angemeldet',
  otherWorkspace: 'Alle Workspaces',
  workspaces: 'Ihre Workspaces',
  toWorkspaces: 'Zu Ihren Workspaces',
  noWorkspaces: 'Sie sind noch in keinem Workspace Mitglied.',
  notFound: 'Unter dieser Adresse gibt es nichts',
  failed: 'Diese Seite konnte nicht angezeigt werden',
  noConnection: 'Es besteht keine Verbindung zum Dienst.',
  notLive: 'Keine Verbindung. Die Anzeige kann veraltet sein; es geht von selbst weiter.',
  tryAgain: 'Erneut versuchen',
  request: 'Anfrage',
  loading: 'Wird geladen …',
  close: 'Schließen',
  cancel: 'Abbrechen',
  until: 'Bis',
  yes: 'Ja',
  no: 'Nein',
  menu: 'Menü',
  more: 'Mehr anzeigen',
  selectShown: 'Die gezeigten Zeilen auswählen',
  channels: { 'web-chat': 'Webchat', 'phone-sms': 'SMS', 'phone-voice': 'Telefon', email: 'E-Mail' },
  waiting: 'wartet',

  // Names of the areas in the navigation
  areas: {
    figures: 'Zahlen',
    data: 'Daten',
    webhooks: 'Webhooks',
    workflows: 'Workflows',
  },
};
