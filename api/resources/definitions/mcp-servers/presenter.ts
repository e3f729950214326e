import type { McpServerRow } from '../../../../db/definitions/mcp-servers.js';
import { type McpToolOfServer, stateOfTool } from '../../../../domain/definitions/mcp-servers/mcp-tools.js';
import type { ToolProblem } from '../../../../domain/definitions/mcp-servers/read-tool.js';
import { remoteToolName } from '../../../../domain/definitions/mcp-servers/remote-tool-names.js';
import type { McpServerResponse, McpToolResponse } from './schemas.js';

export function presentMcpServer(server: McpServerRow): McpServerResponse {
  const { id, uuid, name, url, enabled, refreshFailure, isListCut } = server;
  return {
    id,
    uuid,
    name,
    url,
    hasToken: server.token !== null,
    enabled,
    refusedAt: server.refusedAt?.toISOString() ?? null,
    refreshedAt: server.refreshedAt?.toISOString() ?? null,
    refreshFailure,
    isListCut,
    createdAt: server.createdAt.toISOString(),
    updatedAt: server.updatedAt.toISOString(),
  };
}

export function presentMcpTool({ server, tool }: McpToolOfServer): McpToolResponse {
  const { id, name, title, description, inputSchema, digest, approval } = tool;
  const { isReadOnly, isIdempotent, isDestructive } = tool;
  return {
    id,
    name,
    toolName: remoteToolName({ server: server.name, tool: name }),
    title,
    description,
    inputSchema,
    isReadOnly,
    isIdempotent,
    isDestructive,
    state: stateOfTool(tool),
    problem: tool.problem as ToolProblem | null,
    digest,
    approval,
    allowedAt: tool.allowedAt?.toISOString() ?? null,
    createdAt: tool.createdAt.toISOString(),
    updatedAt: tool.updatedAt.toISOString(),
  };
}
