import type { LabelTexts } from './en.js';

/** Die Worte der Labels auf Deutsch. */
export const de: LabelTexts = {
  kinds: { member: 'Von Mitgliedern', chat: 'Von Chats', file: 'Von Dateien' },
  kindsOf: 'Labels von',
  name: 'Name',
  slug: 'Kurzname',
  slugHint:
    'Mit ihm nennen Workflows das Label. Wo sie es tun, muss ein anderer auch dort geschrieben werden.',
  color: 'Farbe',
  description: 'Beschreibung',
  newLabel: 'Neues Label',
  create: 'Anlegen',
  none: {
    member:
      'Es gibt noch kein Label von Mitgliedern. Mit einem werden Mitglieder gefunden, und Workflows unterscheiden sie.',
    chat: 'Es gibt noch kein Label von Chats. Mit einem ordnet das Team Chats.',
    file: 'Es gibt noch kein Label von Dateien. Mit einem werden Dateien gefunden.',
  },
  gone: 'Dieses Label gibt es nicht. Vielleicht wurde es gelöscht.',
  has: { member: 'Mitglieder damit', chat: 'Chats damit', file: 'Dateien damit' },
  remove: 'Löschen',
  removeHelp: 'Es wird von allen genommen, die es haben: {count}. Das lässt sich nicht zurückholen.',
  removeHelpUncounted: 'Es wird von allen genommen, die es haben. Das lässt sich nicht zurückholen.',
};
