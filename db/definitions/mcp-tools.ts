import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { McpToolModel, type McpToolRow } from './models/mcp-tool.js';

export type { McpToolRow } from './models/mcp-tool.js';

export async function insertMcpTool(tx: Tx, values: Partial<McpToolRow>): Promise<McpToolRow> {
  return McpToolModel.insert(tx, values);
}

/** All tools of a server, by name; those that it lists no more are the last. */
export async function selectMcpTools(tx: Tx, serverId: number): Promise<McpToolRow[]> {
  return McpToolModel.where(tx, 'server_id = ? order by gone_at is not null, name', [serverId]);
}

export async function findMcpTool(tx: Tx, serverId: number, id: number): Promise<McpToolRow | undefined> {
  return McpToolModel.first(tx, 'server_id = ? and id = ?', [serverId, id]);
}

export async function patchMcpTool(tx: Tx, id: number, changes: Partial<McpToolRow>): Promise<McpToolRow> {
  return McpToolModel.patch(tx, id, changes);
}

/** Deletes tools that a server lists no more, and that nobody has allowed. */
export async function removeGoneTools(tx: Tx, serverId: number): Promise<void> {
  const gone = 'server_id = ? and gone_at is not null and allowed_digest is null';
  await McpToolModel.deleteWhere(tx, gone, [serverId]);
}

export async function removeMcpTools(tx: Tx, serverId: number): Promise<void> {
  await McpToolModel.deleteWhere(tx, 'server_id = ?', [serverId]);
}

/** Names a tool of a remote MCP server. */
export interface RemoteToolRef {
  server: string;
  tool: string;
}

export type AllowedTool = Pick<
  McpToolRow,
  'serverId' | 'description' | 'inputSchema' | 'approval' | 'isReadOnly' | 'isIdempotent'
> &
  RemoteToolRef;

/** Those of the tools that agents may use now: allowed as they are, of a server in use. */
export async function selectAllowedTools(tx: Tx, refs: readonly RemoteToolRef[]): Promise<AllowedTool[]> {
  if (refs.length === 0) return [];
  return prepared<AllowedTool>(
    tx,
    `select s.name as server, t.name as tool, t.server_id as "serverId", t.description, t.approval,
       t.input_schema as "inputSchema", t.is_read_only as "isReadOnly", t.is_idempotent as "isIdempotent"
     from mcp_servers s join mcp_tools t on t.workspace_id = s.workspace_id and t.server_id = s.id
     where s.enabled and t.allowed_digest = t.digest and t.gone_at is null and t.problem is null
       and (s.name, t.name) in (select * from unnest(?::text[], ?::text[]))`,
    [refs.map(({ server }) => server), refs.map(({ tool }) => tool)],
  );
}
