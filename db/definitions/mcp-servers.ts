import type { Tx } from '../tx.js';
import { McpServerModel, type McpServerRow } from './models/mcp-server.js';

export type { McpServerRow } from './models/mcp-server.js';

export async function insertMcpServer(tx: Tx, values: Partial<McpServerRow>): Promise<McpServerRow> {
  return McpServerModel.insert(tx, values);
}

/** All servers of the workspace, by name. */
export async function selectMcpServers(tx: Tx): Promise<McpServerRow[]> {
  return McpServerModel.where(tx, 'true order by name');
}

export async function findMcpServer(tx: Tx, id: number): Promise<McpServerRow | undefined> {
  return McpServerModel.find(tx, id);
}

export async function lockMcpServer(tx: Tx, id: number): Promise<McpServerRow | undefined> {
  return McpServerModel.first(tx, 'id = ? for no key update', [id]);
}

export async function patchMcpServer(
  tx: Tx,
  id: number,
  changes: Partial<McpServerRow>,
): Promise<McpServerRow> {
  return McpServerModel.patch(tx, id, changes);
}

export async function countMcpServers(tx: Tx): Promise<number> {
  return McpServerModel.count(tx, 'true');
}

/** @returns whether there was one */
export async function removeMcpServer(tx: Tx, id: number): Promise<boolean> {
  return (await McpServerModel.deleteWhere(tx, 'id = ?', [id])) > 0;
}
