import { lockMcpServer, type McpServerRow, patchMcpServer } from '../../../db/definitions/mcp-servers.js';
import type { ToolLister } from '../../kernel/remote-tools.js';
import { Undecipherable } from '../../lib/encryption.js';
import { Conflict } from '../../lib/errors.js';
import type { SecretsContext } from '../secrets/secrets.js';
import { requireServer } from './mcp-servers.js';
import { decryptToken } from './server-token.js';
import { storeListing } from './store-listing.js';

export interface RefreshContext extends SecretsContext {
  tools: ToolLister;
}

/** After which a listing is given up whose process died. */
const maxListingMs = 30_000;

/**
 * Asks a server for its tools, outside of any transaction, and stores what it says. That it does not answer is no error:
 * `refreshFailure` says why. One listing of a server is under way at a time.
 * @throws Forbidden, NotFound, Conflict `mcp_refresh_under_way`, `mcp_server_changed`
 */
export async function refreshMcpServer(
  { db, clock, actor, encryption, tools }: RefreshContext,
  id: number,
): Promise<McpServerRow> {
  actor.require('workspace:write');
  const begun = await db.inWorkspace(actor.workspaceId, async (tx) => {
    const now = clock.now();
    const server = await requireServer(lockMcpServer(tx, id));
    const { refreshBeganAt } = server;
    if (refreshBeganAt !== null && now.getTime() - refreshBeganAt.getTime() < maxListingMs) {
      throw new Conflict('mcp_refresh_under_way', 'The tools of the server are being listed already.');
    }
    let token: string | undefined;
    try {
      token = decryptToken(tx, encryption, server);
    } catch (error) {
      if (!(error instanceof Undecipherable)) throw error;
      return patchMcpServer(tx, id, { refreshFailure: 'token_unreadable' });
    }
    await patchMcpServer(tx, id, { refreshBeganAt: now });
    return { server, token };
  });
  if (!('server' in begun)) return begun;

  const { server, token } = begun;
  const listed = await tools.list({ url: server.url, token });

  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const current = await requireServer(lockMcpServer(tx, id));
    if (current.credentialChangedAt.getTime() !== server.credentialChangedAt.getTime()) {
      throw new Conflict('mcp_server_changed', 'The server was changed meanwhile. Refresh it again.');
    }
    if (listed.kind === 'failed') {
      return patchMcpServer(tx, id, { refreshBeganAt: null, refreshFailure: listed.code });
    }
    await storeListing(tx, id, listed, clock.now());
    return patchMcpServer(tx, id, { refreshBeganAt: null, refusedAt: null, unavailableUntil: null });
  });
}
