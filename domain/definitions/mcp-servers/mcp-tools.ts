import { findMcpServer, type McpServerRow } from '../../../db/definitions/mcp-servers.js';
import {
  findMcpTool,
  type McpToolRow,
  patchMcpTool,
  selectMcpTools,
} from '../../../db/definitions/mcp-tools.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import { requireServer } from './mcp-servers.js';

/** A tool with its server. */
export interface McpToolOfServer {
  server: McpServerRow;
  tool: McpToolRow;
}

/** The tools of a server, as it last listed them, by name. @throws Forbidden, NotFound */
export async function listMcpTools(
  { db, actor }: CommandContext,
  serverId: number,
): Promise<McpToolOfServer[]> {
  actor.require('workspace:write');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const server = await requireServer(findMcpServer(tx, serverId));
    return (await selectMcpTools(tx, serverId)).map((tool) => ({ server, tool }));
  });
}

/**
 * Lets agents use a tool as the caller has seen it.
 * @param digest of what the caller has seen
 * @throws Forbidden, NotFound, Conflict `mcp_tool_changed` if the server says something else of it now, `mcp_tool_not_usable`
 */
export async function allowMcpTool(
  { db, clock, actor }: CommandContext,
  { serverId, toolId }: { serverId: number; toolId: number },
  { digest, approval }: { digest: string; approval: 'none' | 'person' },
): Promise<McpToolOfServer> {
  actor.require('workspace:write');
  const now = clock.now();
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const server = await requireServer(findMcpServer(tx, serverId));
    const seen = await requireTool(findMcpTool(tx, serverId, toolId));
    if (seen.problem !== null) {
      throw new Conflict('mcp_tool_not_usable', `Agents cannot use the tool: ${seen.problem}.`);
    }
    if (seen.goneAt !== null || seen.digest !== digest) throw changed();
    const tool = await patchMcpTool(tx, toolId, {
      allowedDigest: digest,
      approval,
      allowedByMemberId: actor.memberId,
      allowedAt: now,
      updatedAt: now,
    });
    // The server may have listed something else meanwhile; then what was allowed is not what stands there now.
    if (tool.digest !== digest) throw changed();
    const note = { subject: ['mcp_tool', toolId] as const, names: [approval] };
    recordAudit(tx, { clock, actor }, 'mcp_tool:allowed', note);
    return { server, tool };
  });
}

/** Takes a tool back from agents. Done once more, it changes nothing. @throws Forbidden, NotFound */
export async function disallowMcpTool(
  { db, clock, actor }: CommandContext,
  { serverId, toolId }: { serverId: number; toolId: number },
): Promise<void> {
  actor.require('workspace:write');
  const updatedAt = clock.now();
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const { allowedDigest } = await requireTool(findMcpTool(tx, serverId, toolId));
    if (allowedDigest === null) return;
    const none = { allowedDigest: null, approval: null, allowedByMemberId: null, allowedAt: null };
    await patchMcpTool(tx, toolId, { ...none, updatedAt });
    recordAudit(tx, { clock, actor }, 'mcp_tool:disallowed', { subject: ['mcp_tool', toolId] });
  });
}

function changed(): Conflict {
  return new Conflict('mcp_tool_changed', 'The server has changed the tool. Look at it again.');
}

async function requireTool(found: Promise<McpToolRow | undefined>): Promise<McpToolRow> {
  const tool = await found;
  if (tool === undefined) throw new NotFound('MCP tool');
  return tool;
}

export type McpToolState = 'allowed' | 'not_allowed' | 'changed' | 'gone' | 'unusable';

/** Whether agents may use a tool, or why not. `changed`: it was allowed as it was before. */
export function stateOfTool({ goneAt, problem, allowedDigest, digest }: McpToolRow): McpToolState {
  if (goneAt !== null) return 'gone';
  if (problem !== null) return 'unusable';
  if (allowedDigest === null) return 'not_allowed';
  return allowedDigest === digest ? 'allowed' : 'changed';
}
