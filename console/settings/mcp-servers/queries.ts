import { type QueryKey, queryOptions } from '@tanstack/react-query';
import { answer, api, type Schemas } from '../../kit/api.js';
import { changedByOthers } from '../../kit/changed-by-others.js';

export type Server = Schemas['McpServerResponse'];
export type Tool = Schemas['McpToolResponse'];

/** What an act on a server may change: keys of queries, after that of the workspace. */
export const serversChanged: readonly QueryKey[] = [['mcp-servers']];

export const pathOf = (uuid: string, serverId: number) => ({ workspace_uuid: uuid, mcp_server_id: serverId });

/** The remote MCP servers of the workspace by name. */
export function serversQuery(uuid: string) {
  const params = { path: { workspace_uuid: uuid } };
  return queryOptions({
    ...changedByOthers,
    queryKey: [uuid, 'mcp-servers'],
    queryFn: ({ signal }) => answer(api.GET('/w/{workspace_uuid}/mcp-servers', { params, signal })),
  });
}

export function serverQuery(uuid: string, serverId: number) {
  const params = { path: pathOf(uuid, serverId) };
  return queryOptions({
    ...changedByOthers,
    queryKey: [uuid, 'mcp-servers', serverId],
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/mcp-servers/{mcp_server_id}', { params, signal })),
  });
}

/** Its tools as it last listed them. */
export function toolsQuery(uuid: string, serverId: number) {
  const params = { path: pathOf(uuid, serverId) };
  return queryOptions({
    ...changedByOthers,
    queryKey: [uuid, 'mcp-servers', serverId, 'tools'],
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/mcp-servers/{mcp_server_id}/tools', { params, signal })),
  });
}
