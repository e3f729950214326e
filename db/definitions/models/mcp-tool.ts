import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** A tool of a remote MCP server, as it was last listed, and the version of it that an admin has allowed. */
export class McpToolModel extends tenantTable('mcp_tools', {
  serverId: column<number>(),
  name: column<string>('configuration'),
  title: column<string | null>('configuration'),
  description: column<string>('configuration'),
  /** As a model is told it; null if it cannot be told. */
  inputSchema: json<Record<string, unknown> | null>('configuration'),
  isReadOnly: column<boolean>(),
  isIdempotent: column<boolean>(),
  isDestructive: column<boolean>(),
  /** Of all that the server says of the tool: SHA-256, in hex. */
  digest: column<string>('digest'),
  /** Why agents cannot use it: a code. */
  problem: column<string | null>('code'),
  /** Since when the server does not list it. */
  goneAt: column<Date | null>(),
  /** The digest that an admin has allowed; agents use the tool while it is the current one. */
  allowedDigest: column<string | null>('digest'),
  approval: column<'none' | 'person' | null>('code'),
  allowedByMemberId: column<number | null>(),
  allowedAt: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type McpToolRow = RowOf<McpToolModel>;
