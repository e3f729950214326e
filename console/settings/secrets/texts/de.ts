import type { SecretTexts } from './en.js';

export const de: SecretTexts = {
  title: 'Geheimnisse',
  what: 'Werte, die Anfragen von Agenten in einem Header mitführen, etwa der Schlüssel eines Kalenders. Ein Wert wird einmal geschrieben: Niemand sieht ihn wieder, und Agenten sehen ihn nie.',
  none: 'Es gibt noch keine Geheimnisse. Ein Workflow, dessen Agent einen Webdienst mit Schlüssel fragt, nennt ein Geheimnis.',
  ownPages: 'Ihre eigenen Schlüssel und Anwendungen haben eigene Seiten:',
  keys: 'API-Schlüssel',
  applications: 'Anwendungen',
  connections: 'verbundene Anwendungen',
  name: 'Name',
  nameHint: 'So nennen es Anfragen von Workflows, zum Beispiel calendar_token. Er bleibt.',
  hosts: 'Hosts',
  hostsHint: 'Nur an diese wird es gesendet; einer je Zeile, zum Beispiel api.example.com.',
  value: 'Wert',
  valueHint: 'Wird verschlüsselt gespeichert und nie wieder gezeigt.',
  changed: 'Wert geschrieben',
  state: 'Zustand',
  refused: 'Abgelehnt seit',
  newSecret: 'Neues Geheimnis',
  create: 'Anlegen',
  replace: 'Ersetzen',
  replaceHelp: '„{name}“ hat den neuen Wert ab der nächsten Anfrage.',
  replaced: 'Ersetzt.',
  remove: 'Löschen',
  removeHelp:
    'Anfragen, die „{name}“ brauchen, werden nicht mehr gestellt, und der Agent erfährt es. Der Wert ist verloren.',
};
