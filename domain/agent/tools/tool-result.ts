import type { ErrorCode } from '../../lib/error-codes.js';
import type { FieldError } from '../../lib/errors.js';

/** A tool's answer to the model, stored as the result of its call. */
export type ToolResult =
  | { ok: true; [key: string]: unknown }
  | { ok: false; error: ErrorCode<'invalid'>; errors?: FieldError[]; [key: string]: unknown };

/** Also where the model calls what it was not offered. */
export const notAvailable: ToolResult = { ok: false, error: 'tool_not_available' };
