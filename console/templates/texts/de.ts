import type { TemplateTexts } from './en.js';

export const de: TemplateTexts = {
  title: 'Textbausteine',
  create: 'Neuer Baustein',
  search: 'Bausteine durchsuchen',
  name: 'Name',
  shortcut: 'Kürzel',
  text: 'Text',
  changed: 'Geändert',
  none: 'Noch gibt es keine Textbausteine. Wer antwortet, fügt sie ein, indem er im leeren Feld / tippt.',
  noneFound: 'Kein Baustein enthält diese Wörter.',
  notFound: 'Diesen Baustein gibt es nicht. Vielleicht wurde er gelöscht.',
  hintOfName: 'Ihn sieht nur das Team.',
  hintOfShortcut: 'Freiwillig, für alle, die tippen: kleine Buchstaben und Ziffern, etwa zeiten.',
  hintOfText:
    'Aus {{member.name}} wird der Name des Mitglieds. Vor dem Senden lässt sich der Text noch ändern.',
  translation: 'Text auf {language}',
  addLanguage: 'Sprache hinzufügen',
  hintOfLanguage: 'Mitglieder mit dieser Sprache bekommen diesen Text, alle anderen den oberen.',
  removeLanguage: '{language} entfernen',
  save: 'Speichern',
  saved: 'Gespeichert.',
  remove: 'Löschen',
  removeQuestion:
    '„{name}“ kann danach niemand mehr auswählen. Nachrichten, die damit geschrieben wurden, bleiben, wie sie sind.',
};
