import Type, { type Static } from 'typebox';
import { documentLimits } from '../../../domain/sites/documents/limits.js';
import { Nullable } from '../../http/schemas.js';

/** Of requests, and of answers: what is in it is checked by `domain/sites/documents/check-document.ts`. */
export const TipTapDocument = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
  maxProperties: 4,
  description: `A document of TipTap 3: \`{"type": "doc", "content": [...]}\` with the nodes and marks of docs/sites.md. At most ${documentLimits.bytes / 1024} KiB, ${documentLimits.levels} levels, and ${documentLimits.blockBytes / 1024} KiB in a node at the top`,
});
export type TipTapDocument = Static<typeof TipTapDocument>;

export const MetaDescription = Nullable(
  Type.String({ maxLength: 500, description: 'Summary for search engines, which show some 160 characters' }),
);
