import { checkDuration } from '../../lib/duration.js';
import type { FieldError } from '../../lib/errors.js';
import { checkBySchema, type JsonSchema } from '../../lib/json-schema.js';
import type { ToolDefinition } from './types.js';

export type ParsedArguments =
  | { ok: true; value: Record<string, unknown> }
  | { ok: false; errors: FieldError[] };

/** Of the arguments of one call. */
const maxLength = 65_536;

/**
 * The arguments of a tool call as the model wrote them, checked by the tool's own schema; or what is wrong, with
 * pointers, for the model to mend.
 */
export function parseToolArguments(tool: ToolDefinition, json: string): ParsedArguments {
  if (json.length > maxLength) return refuse('', `The arguments must have at most ${maxLength} characters`);
  const value = parseJson(json);
  if (value === undefined) return refuse('', 'The arguments must be a JSON object');
  const errors = checkBySchema(acceptedSchema(tool), value);
  if (errors.length > 0) return { ok: false, errors };
  const parsed = value as Record<string, unknown>;
  if (tool.name === 'schedule_follow_up') {
    const checked = checkDuration(String(parsed.after));
    if (!checked.ok) return refuse('/after', checked.message);
  }
  return { ok: true, value: parsed };
}

/**
 * `save_data` names what is missing as required, to tell the model what to ask for. A part of it is taken all the
 * same: what the member has told is worth keeping, and what is still missing stays so. Patterns are for the model as
 * well: the schema would run them over texts of any length, and the record that is written checks them once more, where
 * the length was measured before.
 */
function acceptedSchema(tool: ToolDefinition): JsonSchema {
  return tool.name === 'save_data' ? { ...withoutPatterns(tool.parameters), required: [] } : tool.parameters;
}

function withoutPatterns({ pattern: _, ...schema }: JsonSchema): JsonSchema {
  const properties = schema.properties as Record<string, JsonSchema> | undefined;
  if (properties === undefined) return schema;
  const entries = Object.entries(properties).map(([name, property]) => [name, withoutPatterns(property)]);
  return { ...schema, properties: Object.fromEntries(entries) };
}

/** Models leave the arguments of a tool without parameters empty. */
function parseJson(json: string): unknown {
  if (json.trim() === '') return {};
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function refuse(pointer: string, message: string): ParsedArguments {
  return { ok: false, errors: [{ pointer, message }] };
}
