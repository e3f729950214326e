/**
 * What clients are told about a tool, so that they know when to ask the person. Not told means the worst in the protocol:
 * destructive and open to the world. https://modelcontextprotocol.io/specification (schema, ToolAnnotations)
 */

/** Changes nothing. */
export const reads = { readOnlyHint: true, openWorldHint: false } as const;

/** Adds something, and changes nothing that is there. */
export const adds = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
} as const;

/** Replaces values, which are gone then; done twice, it is as done once. */
export const replaces = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** Moves on what is there, without losing anything; done twice, it is as done once. */
export const moves = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** Reaches a person outside, and cannot be taken back. */
export const reachesPeople = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
} as const;
