/** The words of the message templates in English. */
export const en = {
  title: 'Message templates',
  create: 'New template',
  search: 'Search templates',
  name: 'Name',
  shortcut: 'Shortcut',
  text: 'Text',
  changed: 'Changed',
  none: 'There are no message templates yet. Colleagues put them into their answers by typing / in an empty field.',
  noneFound: 'No template has these words.',
  notFound: 'There is no such template. It may have been deleted.',
  hintOfName: 'Only colleagues see it.',
  hintOfShortcut: 'Optional, for who types: small letters and digits, such as hours.',
  hintOfText:
    '{{member.name}} becomes the name of the member. The colleague can change the text before it is sent.',
  translation: 'Text in {language}',
  addLanguage: 'Add a language',
  hintOfLanguage: 'Members with this language get this text; all others the one above.',
  removeLanguage: 'Remove {language}',
  save: 'Save',
  saved: 'Saved.',
  remove: 'Delete',
  removeQuestion:
    'Nobody can choose “{name}” from then on. Messages that were written with it stay as they are.',
};

export type TemplateTexts = typeof en;
