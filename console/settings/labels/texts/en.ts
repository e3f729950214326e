/** The words of the labels in English. The other languages have the same keys. */
export const en = {
  kinds: { member: 'Of members', chat: 'Of chats', file: 'Of files' },
  kindsOf: 'Labels of',
  name: 'Name',
  slug: 'Short name',
  slugHint: 'With which workflows name the label. Where they do, another one has to be written there, too.',
  color: 'Colour',
  description: 'Description',
  newLabel: 'New label',
  create: 'Create',
  none: {
    member: 'There is no label of members yet. With one, members are found, and workflows tell them apart.',
    chat: 'There is no label of chats yet. With one, colleagues sort chats.',
    file: 'There is no label of files yet. With one, files are found.',
  },
  gone: 'There is no such label. It may have been deleted.',
  has: { member: 'Members with it', chat: 'Chats with it', file: 'Files with it' },
  remove: 'Delete',
  removeHelp: 'It is taken from all that have it: {count}. That cannot be brought back.',
  removeHelpUncounted: 'It is taken from all that have it. That cannot be brought back.',
};

export type LabelTexts = typeof en;
