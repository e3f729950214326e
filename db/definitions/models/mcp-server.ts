import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** A remote MCP server whose tools agents may use. */
export class McpServerModel extends tenantTable('mcp_servers', {
  uuid: column<string>(),
  name: column<string>('configuration'),
  url: column<string>('configuration'),
  /** Encrypted; null: the server needs none. */
  token: column<Buffer | null>('encrypted'),
  enabled: column<boolean>(),
  changedByMemberId: column<number | null>(),
  /** When the address or the token last changed. */
  credentialChangedAt: column<Date>(),
  /** When the server first refused the token; null once it is taken again. */
  refusedAt: column<Date | null>(),
  /** No tool is called before. */
  unavailableUntil: column<Date | null>(),
  /** While the tools are listed for a person. */
  refreshBeganAt: column<Date | null>(),
  /** When the tools were last listed. */
  refreshedAt: column<Date | null>(),
  /** Why the last attempt to list them failed: a code. */
  refreshFailure: column<string | null>('code'),
  isListCut: column<boolean>(),
  /** When a tool was last found changed that was allowed. */
  toolsChangedAt: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type McpServerRow = RowOf<McpServerModel>;
