import { checkDuration } from '../duration.js';
import type { FieldError } from '../errors.js';
import { checkBySchema, type JsonSchema } from '../json-schema.js';
import type { ToolDefinition } from './types.js';

export type ParsedArguments =
  | { ok: true; value: Record<string, unknown> }
  | { ok: false; errors: FieldError[] };

const maxLength = 100_000;

/**
 * The arguments of a tool call as the model wrote them, checked by the tool's own schema; or what is wrong, with
 * pointers, for the model to mend.
 */
export function parseToolArguments(tool: ToolDefinition, json: string): ParsedArguments {
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
 * same: what the member has told is worth keeping, and what is still missing stays so.
 */
function acceptedSchema(tool: ToolDefinition): JsonSchema {
  return tool.name === 'save_data' ? { ...tool.parameters, required: [] } : tool.parameters;
}

/** Models leave the arguments of a tool without parameters empty. */
function parseJson(json: string): unknown {
  if (json.length > maxLength) return undefined;
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
