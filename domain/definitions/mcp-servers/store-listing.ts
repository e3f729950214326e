import { patchMcpServer } from '../../../db/definitions/mcp-servers.js';
import {
  insertMcpTool,
  type McpToolRow,
  patchMcpTool,
  removeGoneTools,
  selectMcpTools,
} from '../../../db/definitions/mcp-tools.js';
import type { Tx } from '../../../db/tx.js';
import type { Listing } from '../../kernel/remote-tools.js';
import { readTool } from './read-tool.js';

/**
 * Stores what a server has listed. A tool that was allowed and has changed, or is gone, is not used until it is allowed again.
 * The caller holds the server's row lock. @returns whether there is such a tool, which agents could use before
 */
export async function storeListing(tx: Tx, serverId: number, listing: Listing, now: Date): Promise<boolean> {
  const known = await selectMcpTools(tx, serverId);
  const listed = new Map(listing.tools.map((tool) => [tool.name, readTool(tool)]));
  let isChanged = false;
  for (const tool of [...new Map([...listed.values()].map((one) => [one.name, one])).values()]) {
    const stored = known.find(({ name }) => name === tool.name);
    if (stored === undefined) await insertMcpTool(tx, { serverId, ...tool, createdAt: now, updatedAt: now });
    else if (stored.digest !== tool.digest || stored.goneAt !== null) {
      isChanged ||= isUsed(stored) && stored.digest !== tool.digest;
      await patchMcpTool(tx, stored.id, { ...tool, goneAt: null, updatedAt: now });
    }
  }
  const names = new Set([...listed.values()].map(({ name }) => name));
  for (const stored of known.filter(({ name, goneAt }) => !names.has(name) && goneAt === null)) {
    isChanged ||= isUsed(stored);
    await patchMcpTool(tx, stored.id, { goneAt: now, updatedAt: now });
  }
  await removeGoneTools(tx, serverId);
  await patchMcpServer(tx, serverId, {
    refreshedAt: now,
    refreshFailure: null,
    isListCut: listing.isCut,
    ...(isChanged ? { toolsChangedAt: now } : {}),
  });
  return isChanged;
}

function isUsed({ allowedDigest, digest, goneAt }: McpToolRow): boolean {
  return goneAt === null && allowedDigest === digest;
}
