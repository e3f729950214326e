import Type from 'typebox';
import type { McpServerRow } from '../../../../db/definitions/mcp-servers.js';
import type { DefinitionName } from '../../../../db/definitions/workflow-definitions.js';
import {
  createMcpServer,
  deleteMcpServer,
  getMcpServer,
  listMcpServers,
  updateMcpServer,
} from '../../../../domain/definitions/mcp-servers/mcp-servers.js';
import {
  allowMcpTool,
  disallowMcpTool,
  listMcpTools,
  type McpToolOfServer,
  stateOfTool,
} from '../../../../domain/definitions/mcp-servers/mcp-tools.js';
import type { ToolProblem } from '../../../../domain/definitions/mcp-servers/read-tool.js';
import { refreshMcpServer } from '../../../../domain/definitions/mcp-servers/refresh-mcp-server.js';
import { remoteToolName } from '../../../../domain/definitions/mcp-servers/remote-tool-names.js';
import { checkReceiver } from '../../../../domain/events/event-rules/receiver.js';
import { workspaceMember } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { resource } from '../../../http/resource.js';
import {
  AllowMcpToolRequest,
  CreateMcpServerRequest,
  McpServerResponse,
  McpToolResponse,
  UpdateMcpServerRequest,
} from './schemas.js';

const access = workspaceMember({ scope: 'workspace:write', permission: 'workspace:write' });

const mcpServers = resource({
  tag: 'MCP servers',
  path: '/w/{workspace_uuid}/mcp-servers',
  read: access,
  write: access,
});

const list = mcpServers.list({
  operationId: 'listMcpServers',
  summary: 'List remote MCP servers',
  description: 'All of the workspace, by name, without their tokens.',
  response: Type.Array(McpServerResponse),
  handler: async ({ context }) => (await listMcpServers(context)).map(presentMcpServer),
});

const create = mcpServers.create({
  operationId: 'createMcpServer',
  audit: ['mcp_server:created'],
  summary: 'Add a remote MCP server',
  description:
    'A server whose tools agents may use (the ability `mcp_tools`). Agents use none of them yet: list them by `POST …/refresh`, and allow them one by one. A refused URL is named in `errors`, with a code such as `https_required`, `invalid_url` or `address_refused`.',
  body: CreateMcpServerRequest,
  example: {
    body: { name: 'stock', url: 'https://mcp.example.com/stock', token: 'example-token-0001' },
    once: true,
  },
  response: McpServerResponse,
  errors: { 409: 'The workspace has 20 remote MCP servers (`too_many_mcp_servers`).' },
  prepare: ({ body, services }) => checkReceiver(services.webhookAddresses, body.url),
  handler: async ({ context, services: { encryption }, body: { name, token, enabled }, prepared: address }) =>
    presentMcpServer(await createMcpServer({ ...context, encryption }, { name, address, token, enabled })),
});

const get = mcpServers.get('/{mcp_server_id}', {
  operationId: 'getMcpServer',
  summary: 'Get a remote MCP server',
  description: 'Without its token, with the workflows that name a tool of it.',
  response: McpServerResponse,
  handler: async ({ context, params }) => presentMcpServer(await getMcpServer(context, params.mcp_server_id)),
});

const update = mcpServers.update('/{mcp_server_id}', {
  operationId: 'updateMcpServer',
  audit: ['mcp_server:updated'],
  summary: 'Change a remote MCP server',
  description:
    'Omitted fields keep their values. With another `url` it is another server: its tools are forgotten, and a token that was set has to be given again, because a token that the caller does not know is never sent to another address.',
  body: UpdateMcpServerRequest,
  example: { body: { token: 'example-token-0002' } },
  response: McpServerResponse,
  prepare: async ({ body: { url }, services }) =>
    url === undefined ? undefined : checkReceiver(services.webhookAddresses, url),
  handler: async ({ context, services: { encryption }, params, body, prepared: address }) => {
    const { url: _, ...changes } = body;
    const given = { ...changes, ...(address === undefined ? {} : { address }) };
    return presentMcpServer(await updateMcpServer({ ...context, encryption }, params.mcp_server_id, given));
  },
});

const remove = mcpServers.remove('/{mcp_server_id}', {
  operationId: 'deleteMcpServer',
  audit: ['mcp_server:deleted'],
  summary: 'Delete a remote MCP server',
  description: 'With its tools, which agents cannot use any more.',
  example: { params: { mcp_server_id: demo.mcpServerToDelete }, once: true },
  handler: async ({ context, params }) => deleteMcpServer(context, params.mcp_server_id),
});

const refresh = mcpServers.act('/{mcp_server_id}/refresh', {
  operationId: 'refreshMcpServer',
  audit: { not: 'a tool that is found may not be used before it is allowed, which allowMcpTool records' },
  summary: 'List the tools of a remote MCP server anew',
  description:
    'Asks the server for its tools, which takes up to ten seconds, and stores what it says. If the server does not answer, `refreshFailure` of the answer says why. A tool that was allowed and of which the server now says something else is `changed`: agents do not use it until it is allowed again.',
  response: McpServerResponse,
  errors: {
    409: 'Another listing is under way (`mcp_refresh_under_way`), or the server was changed meanwhile (`mcp_server_changed`).',
  },
  handler: async ({ context, services: { encryption, remoteTools: tools }, params }) =>
    presentMcpServer(await refreshMcpServer({ ...context, encryption, tools }, params.mcp_server_id)),
});

const listTools = mcpServers.get('/{mcp_server_id}/tools', {
  operationId: 'listMcpTools',
  summary: 'List the tools of a remote MCP server',
  description:
    'As it last listed them, up to 100, by name; those that were allowed and are gone come last. Their texts are what the server says: read them before you allow a tool, because models will.',
  response: Type.Array(McpToolResponse),
  handler: async ({ context, params }) =>
    (await listMcpTools(context, params.mcp_server_id)).map(presentMcpTool),
});

const allow = mcpServers.update('/{mcp_server_id}/tools/{mcp_tool_id}', {
  operationId: 'allowMcpTool',
  audit: ['mcp_tool:allowed'],
  summary: 'Allow a tool of a remote MCP server',
  description:
    'Agents may use the tool, in workflows that name it (`mcp_tools`), while the server says of it what the caller has seen: `digest` is that of the tool as it was listed.',
  body: AllowMcpToolRequest,
  example: { body: { digest: demo.mcpToolDigest, approval: 'person' } },
  response: McpToolResponse,
  errors: {
    409: 'The server says something else of the tool than the caller has seen (`mcp_tool_changed`), or agents cannot use it (`mcp_tool_not_usable`).',
  },
  handler: async ({ context, params, body }) => {
    const place = { serverId: params.mcp_server_id, toolId: params.mcp_tool_id };
    return presentMcpTool(await allowMcpTool(context, place, body));
  },
});

const disallow = mcpServers.remove('/{mcp_server_id}/tools/{mcp_tool_id}', {
  operationId: 'disallowMcpTool',
  audit: ['mcp_tool:disallowed'],
  summary: 'Take a tool of a remote MCP server back',
  description: 'Agents cannot use the tool any more. It stays in the list.',
  example: { params: { mcp_tool_id: demo.mcpToolToDisallow } },
  handler: async ({ context, params }) =>
    disallowMcpTool(context, { serverId: params.mcp_server_id, toolId: params.mcp_tool_id }),
});

function presentMcpServer(server: McpServerRow & { workflows?: DefinitionName[] }) {
  return { ...server, hasToken: server.token !== null };
}

function presentMcpTool({ server, tool }: McpToolOfServer) {
  const toolName = remoteToolName({ server: server.name, tool: tool.name });
  return { ...tool, toolName, state: stateOfTool(tool), problem: tool.problem as ToolProblem | null };
}

export const mcpServerRoutes = [list, create, get, update, remove, refresh, listTools, allow, disallow];
