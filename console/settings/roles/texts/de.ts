import type { RoleTexts } from './en.js';

export const de: RoleTexts = {
  title: 'Rollen',
  what: 'Alle dürfen sehen und ändern, was ihr Eigenes ist. Eine Rolle erlaubt außerdem, was angekreuzt ist; eine Änderung gilt ab der nächsten Anfrage.',
  role: 'Rolle',
  permission: 'Berechtigung',
  mayDo: '{role}: {grant}',
  flags: 'Die Rolle selbst',
  flagMeanings: {
    useAdmin: 'Darf die Verwaltung benutzen.',
    manageWorkspace: 'Darf den Workspace verwalten.',
  },
  addType: 'Eine Art von Datensätzen hinzufügen',
  keys: 'Die Pfeiltasten führen von Kästchen zu Kästchen, die Leertaste kreuzt an.',
  saveChanges: 'Änderungen speichern ({count})',
  discard: 'Verwerfen',
  save: 'Speichern',
  saved: 'Gespeichert.',
  newRole: 'Neue Rolle',
  name: 'Name',
  like: 'Beginnt mit den Berechtigungen von',
  likeNone: 'keiner Rolle',
  create: 'Anlegen',
  rename: 'Name',
  whoHasIt: 'Wer sie hat',
  members: 'Mitglieder mit dieser Rolle: {count}',
  remove: 'Löschen',
  removeHelp: 'Die Rolle „{name}“ wird endgültig gelöscht, falls niemand sie hat.',
  removeUnused: 'Niemand hat die Rolle „{name}“. Sie wird endgültig gelöscht.',
  removeUsed:
    'Mitglieder mit der Rolle „{name}“: {count}. Geben Sie ihnen zuerst eine andere: Bis dahin lässt sie sich nicht löschen.',
  gone: 'Diese Rolle gibt es nicht. Vielleicht wurde sie gelöscht.',
};
