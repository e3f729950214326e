import { createHash } from 'node:crypto';
import type { McpToolRow } from '../../../db/definitions/mcp-tools.js';
import type { ListedTool } from '../../kernel/remote-tools.js';
import { asText, toldSchema } from './told-schema.js';

/** Why agents cannot use a tool, with the meaning of each code. */
export const toolProblems = {
  name_not_supported:
    'The name has other characters than letters, digits, `_`, `-`, `.` and `/`, or too many',
  description_too_long: 'The description has more than 2,000 characters',
  schema_not_supported:
    'The schema of the arguments is larger than 6 KB, deeper than ten levels, or has names that models do not take',
} as const;
export type ToolProblem = keyof typeof toolProblems;

const maxNameLength = 128;
const maxTitleLength = 200;
export const maxDescriptionLength = 2_000;

type ReadTool = Pick<
  McpToolRow,
  | 'name'
  | 'title'
  | 'description'
  | 'inputSchema'
  | 'isReadOnly'
  | 'isIdempotent'
  | 'isDestructive'
  | 'digest'
> & { problem: ToolProblem | null };

/** Reads what a server says of a tool, as far as people and models are told it. */
export function readTool(tool: ListedTool): ReadTool {
  const { name, title, description = '', inputSchema, annotations = {} } = tool;
  const schema = toldSchema(inputSchema);
  return {
    name: asText(name).slice(0, maxNameLength),
    title: title === undefined ? null : asText(title).slice(0, maxTitleLength),
    description: asText(description).slice(0, maxDescriptionLength),
    inputSchema: schema,
    isReadOnly: annotations.readOnlyHint === true,
    isIdempotent: annotations.idempotentHint === true,
    // The protocol takes a tool for destructive that does not say otherwise.
    isDestructive: annotations.readOnlyHint !== true && annotations.destructiveHint !== false,
    digest: digestOfTool(tool),
    problem: problemOf(tool, schema !== null),
  };
}

function problemOf({ name, description = '' }: ListedTool, isTold: boolean): ToolProblem | null {
  if (name.length > maxNameLength || !/^[A-Za-z0-9_./-]+$/.test(name)) return 'name_not_supported';
  if (description.length > maxDescriptionLength) return 'description_too_long';
  return isTold ? null : 'schema_not_supported';
}

/** Of all that the server says of a tool, whatever the order of the fields: an admin allows this and nothing else. */
export function digestOfTool({ name, title, description, inputSchema, annotations }: ListedTool): string {
  const said = ordered({ name, title, description, inputSchema, annotations }, 0);
  return createHash('sha256').update(said).digest('hex');
}

/** Deeper schemas are not told to any model, so that their digest may be coarser. */
const maxDepth = 40;

function ordered(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (depth > maxDepth) return '"…"';
  if (Array.isArray(value)) return `[${value.map((one) => ordered(one, depth + 1)).join()}]`;
  const fields = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, one]) => `${JSON.stringify(name)}:${ordered(one, depth + 1)}`);
  return `{${fields.join()}}`;
}
