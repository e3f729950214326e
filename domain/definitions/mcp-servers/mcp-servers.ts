import { randomUUID } from 'node:crypto';
import {
  countMcpServers,
  findMcpServer,
  insertMcpServer,
  lockMcpServer,
  type McpServerRow,
  patchMcpServer,
  removeMcpServer,
  selectMcpServers,
} from '../../../db/definitions/mcp-servers.js';
import { removeMcpTools } from '../../../db/definitions/mcp-tools.js';
import {
  type DefinitionName,
  selectDefinitionsWithAbility,
} from '../../../db/definitions/workflow-definitions.js';
import { violatedConstraint } from '../../../db/postgres-errors.js';
import type { Receiver } from '../../events/event-rules/receiver.js';
import { givenNames, recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.js';
import type { SecretsContext } from '../secrets/secrets.js';
import { encryptToken } from './server-token.js';

export const maxMcpServers = 20;

export interface McpServerInput {
  name: string;
  /** What `checkReceiver` has found. */
  address: Receiver;
  /** Null or undefined: the server needs none. */
  token?: string | null | undefined;
  enabled?: boolean | undefined;
}

/** All remote MCP servers of the workspace, by name, without their tokens. @throws Forbidden */
export async function listMcpServers({ db, actor }: CommandContext): Promise<McpServerRow[]> {
  actor.require('workspace:write');
  return db.readInWorkspace(actor.workspaceId, selectMcpServers);
}

/** A server with the workflows in use that name a tool of it. @throws Forbidden, NotFound */
export async function getMcpServer(
  { db, actor }: CommandContext,
  id: number,
): Promise<McpServerRow & { workflows: DefinitionName[] }> {
  actor.require('workspace:write');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const server = await requireServer(findMcpServer(tx, id));
    const part = { tools: [{ server: server.name }] };
    return { ...server, workflows: await selectDefinitionsWithAbility(tx, 'mcp_tools', part) };
  });
}

/** @throws Forbidden, InvalidInput, Conflict `too_many_mcp_servers` */
export async function createMcpServer(
  { db, clock, actor, encryption }: SecretsContext,
  { name, address, token, enabled = true }: McpServerInput,
): Promise<McpServerRow> {
  actor.require('workspace:write');
  const now = clock.now();
  const uuid = randomUUID();
  const url = usableUrl(address);
  return withUniqueName(() =>
    db.inWorkspace(actor.workspaceId, async (tx) => {
      if ((await countMcpServers(tx)) >= maxMcpServers) {
        const detail = `A workspace has at most ${maxMcpServers} remote MCP servers.`;
        throw new Conflict('too_many_mcp_servers', detail);
      }
      const server = await insertMcpServer(tx, {
        uuid,
        name,
        url,
        enabled,
        token: token == null ? null : encryptToken(tx, encryption, uuid, token),
        changedByMemberId: actor.memberId,
        credentialChangedAt: now,
        createdAt: now,
        updatedAt: now,
      });
      recordAudit(tx, { clock, actor }, 'mcp_server:created', { subject: ['mcp_server', server.id] });
      return server;
    }),
  );
}

export type McpServerChanges = Partial<McpServerInput>;

/**
 * Changes a server. At a new address it is another one: its tools are forgotten, and a token has to be given again, so that a
 * colleague cannot have one that it does not know sent to an address of its own.
 * @throws Forbidden, NotFound, InvalidInput
 */
export async function updateMcpServer(
  { db, clock, actor, encryption }: SecretsContext,
  id: number,
  { name, address, token, enabled }: McpServerChanges,
): Promise<McpServerRow> {
  actor.require('workspace:write');
  const now = clock.now();
  const url = address && usableUrl(address);
  return withUniqueName(() =>
    db.inWorkspace(actor.workspaceId, async (tx) => {
      const server = await requireServer(lockMcpServer(tx, id));
      const isElsewhere = url !== undefined && url !== server.url;
      if (isElsewhere && server.token !== null && token === undefined) {
        throw InvalidInput.field('/token', 'is required with another url: null, or the token for it');
      }
      if (isElsewhere) await removeMcpTools(tx, id);
      const names = givenNames({ name, url, token, enabled });
      recordAudit(tx, { clock, actor }, 'mcp_server:updated', { subject: ['mcp_server', id], names });
      return patchMcpServer(tx, id, {
        ...(name === undefined ? {} : { name }),
        ...(enabled === undefined ? {} : { enabled }),
        ...(isElsewhere ? { url, refreshedAt: null, refreshFailure: null, isListCut: false } : {}),
        ...(token === undefined
          ? {}
          : { token: token === null ? null : encryptToken(tx, encryption, server.uuid, token) }),
        ...(isElsewhere || token !== undefined
          ? { credentialChangedAt: now, refusedAt: null, unavailableUntil: null, refreshBeganAt: null }
          : {}),
        changedByMemberId: actor.memberId,
        updatedAt: now,
      });
    }),
  );
}

/** Deletes a server with its tools, which agents cannot use any more. @throws Forbidden, NotFound */
export async function deleteMcpServer({ db, clock, actor }: CommandContext, id: number): Promise<void> {
  actor.require('workspace:write');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    if (!(await removeMcpServer(tx, id))) throw new NotFound('MCP server');
    recordAudit(tx, { clock, actor }, 'mcp_server:deleted', { subject: ['mcp_server', id] });
  });
}

export async function requireServer(found: Promise<McpServerRow | undefined>): Promise<McpServerRow> {
  const server = await found;
  if (server === undefined) throw new NotFound('MCP server');
  return server;
}

function usableUrl({ url, problem }: Receiver): string {
  if (problem !== undefined) throw InvalidInput.field('/url', problem.detail, problem.code);
  return url;
}

async function withUniqueName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) !== 'mcp_servers_workspace_id_name_key') throw error;
    throw InvalidInput.field('/name', 'is the name of another server', 'duplicate');
  }
}
