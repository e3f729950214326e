import Type from 'typebox';
import { Id, Nullable, OneOf, Picked, Uuid } from '../../../http/schemas.js';

const passageText = Type.String({ description: 'The passage, plain text of at most 1,600 characters' });
const excerptOfPassage = Type.String({
  description:
    'The part of the passage with the words that were found, as HTML: its text is escaped, and each of the words is in a <mark> element. There are no other elements',
});

const FoundFile = Type.Object(
  { id: Id, uuid: Uuid, title: Type.String(), filename: Type.String(), mimeType: Type.String() },
  { description: 'The file that has the passage in its current version' },
);

export const FilePassageResponse = Picked(
  {
    file: FoundFile,
    page: Nullable(
      Type.Integer({
        minimum: 1,
        description: 'Page of a PDF that has the passage, from 1; null: files of this kind have no pages',
      }),
    ),
    text: passageText,
    excerpt: excerptOfPassage,
  },
  { $id: 'FilePassageResponse' },
);

export const PagePassageResponse = Picked(
  {
    site: Type.Object(
      { id: Id, uuid: Uuid, name: Type.String() },
      { description: 'The site that the page belongs to' },
    ),
    page: Type.Object(
      {
        id: Id,
        slug: Type.String({ description: 'Part of its address' }),
        title: Type.String(),
        locale: Type.String({ description: 'The locale of the passage' }),
      },
      { description: 'The page that has the passage as visitors read it' },
    ),
    text: passageText,
    excerpt: excerptOfPassage,
  },
  { $id: 'PagePassageResponse' },
);

export const FileSearchResponse = Type.Object(
  {
    items: Type.Array(FilePassageResponse, { description: 'The passages that were found, the best first' }),
    pages: Type.Array(PagePassageResponse, {
      description:
        'Passages of published pages of sites, the best first. None where a folder is searched, and without the scope sites:read',
    }),
    pendingFiles: Type.Integer({
      minimum: 0,
      maximum: 2_000,
      description:
        'How many files, among those searched, were not searched because their text has yet to be read; counted among the 2,000 newest of the workspace',
    }),
  },
  { $id: 'FileSearchResponse' },
);

export const SearchFilesQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '\\S',
    description:
      'Words to search for, in any of their forms, with accents or without. "Words in quotes" are found as they stand, `or` between words finds either, and a minus excludes a word',
  }),
  words: OneOf(['all', 'any'], {
    default: 'all',
    description:
      'Whether a passage has all words that are searched for, or any of them, best those with most; with any, quotes and minus are not heeded',
  }),
  folderId: Type.Optional(
    Type.Integer({ ...Id, description: 'Only files in this folder and in the folders below it' }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: 50,
    default: 10,
    description: 'The most passages to answer with',
  }),
});
