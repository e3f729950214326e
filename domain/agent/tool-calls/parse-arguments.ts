import { checkDuration } from '../../lib/duration.js';
import type { FieldError } from '../../lib/errors.js';
import { checkBySchema, type JsonSchema } from '../../lib/json-schema.js';
import type { ToolDefinition } from '../tools/tool.js';

type ParsedArguments = { ok: true; value: Record<string, unknown> } | { ok: false; errors: FieldError[] };

/** The maximum length of the arguments of one call, in characters. */
const maxLength = 65_536;

/** Checks the arguments of a tool call. Errors have pointers, so that the model can correct the call. */
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
 * `save_data` lists the missing fields as required, so that the model asks for them, but accepts a part of them.
 * Patterns would run over texts of any length here; writing the record checks them after the length.
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

/** Accepts an empty text, which models send for a tool without parameters. */
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
