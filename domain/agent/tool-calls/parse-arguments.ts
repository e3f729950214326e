import type { FieldError } from '../../lib/errors.js';
import { checkBySchema } from '../../lib/json-schema.js';
import type { OfferedTool } from '../tools/tool.js';

type ParsedArguments = { ok: true; value: Record<string, unknown> } | { ok: false; errors: FieldError[] };

/** The maximum length of the arguments of one call, in characters. */
const maxLength = 65_536;

/** Checks the arguments of a tool call. Errors have pointers, so that the model can correct the call. */
export function parseToolArguments(
  { parameters, accepts = parameters, check }: Pick<OfferedTool, 'parameters' | 'accepts' | 'check'>,
  json: string,
): ParsedArguments {
  if (json.length > maxLength) return refuse(`The arguments must have at most ${maxLength} characters`);
  const value = parseJson(json);
  if (value === undefined) return refuse('The arguments must be a JSON object');
  const errors = checkBySchema(accepts, value);
  if (errors.length > 0) return { ok: false, errors };
  const parsed = value as Record<string, unknown>;
  const further = check?.(parsed) ?? [];
  return further.length === 0 ? { ok: true, value: parsed } : { ok: false, errors: further };
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

function refuse(message: string): ParsedArguments {
  return { ok: false, errors: [{ pointer: '', message }] };
}
