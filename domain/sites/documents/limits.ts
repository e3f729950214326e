/** What a document may have. The bounds keep its rendering short (`test/domain/sites/documents/cost.test.ts`). */
export const documentLimits = {
  /** UTF-8 bytes of its JSON. */
  bytes: 262_144,
  /** UTF-8 bytes of one block at its top level, which is rendered without letting other work in. */
  blockBytes: 65_536,
  /** Levels of nodes, the document included. */
  levels: 24,
  nodes: 10_000,
};
