import Type from 'typebox';
import { indexingReasons } from '../../../domain/files/indexing/indexing.js';
import { Nullable, OneOf } from '../../http/schemas.js';

const states = ['pending', 'indexed', 'unsupported', 'failed', 'given_up'] as const;

export const IndexingState = OneOf(states, {
  description:
    'Whether the text of the version can be searched: pending (not yet), indexed, unsupported (there is no text), failed (the file cannot be read), given_up (reading it has failed three times; what was read before can be searched)',
});

export const IndexingReason = Nullable(
  Type.String({
    description: `Why the text, or a part of it, cannot be searched, as a word: ${indexingReasons.slice(0, -1).join(', ')} or ${indexingReasons.at(-1)}`,
  }),
);

export const IndexedPages = Type.Integer({
  minimum: 0,
  description: 'How many pages, or parts of a text without pages, can be searched',
});
