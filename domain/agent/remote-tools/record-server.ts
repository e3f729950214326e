import {
  findMcpServer,
  lockMcpServer,
  type McpServerRow,
  patchMcpServer,
} from '../../../db/definitions/mcp-servers.js';
import type { Tx } from '../../../db/tx.js';
import { storeListing } from '../../definitions/mcp-servers/store-listing.js';
import { notifyAdmins } from '../../events/event-rules/notify-admins.js';
import type { RemoteAnswer } from '../../kernel/remote-tools.js';
import { type ClaimedRemoteCall, refusedForMs } from './claim-remote-call.js';

const refusals = new Set(['unauthorized', 'payment_required']);
const busyForMs = 60_000;
const maxBusyMs = 3_600_000;

/**
 * Notes what a call has shown of its server. One that refuses the token or asks for a payment, or wants fewer requests, is not
 * called for a while. Admins are told by mail of a refusal, once until the token is taken or changed, and of tools that were
 * allowed and have changed.
 */
export async function recordServer(
  tx: Tx,
  { remote }: ClaimedRemoteCall,
  answer: RemoteAnswer,
  now: Date,
): Promise<void> {
  const { listing } = answer;
  if (answer.kind !== 'not_called' && listing === undefined) {
    await recordTaken(tx, remote);
    return;
  }
  const server = await lockMcpServer(tx, remote.serverId);
  // It is another server by now, or has another token.
  if (server?.credentialChangedAt.getTime() !== remote.credentialChangedAt.getTime()) return;
  if (listing !== undefined && (await storeListing(tx, server.id, listing, now))) {
    await notifyAdmins(tx, [{ mcpServerId: server.id, reason: 'mcp_tools_changed' }], now);
  }
  if (answer.kind !== 'not_called' || listing !== undefined) {
    await patchMcpServer(tx, server.id, { refusedAt: null, unavailableUntil: null });
  }
  if (answer.kind === 'not_called') await recordRefusal(tx, server, answer, now);
}

async function recordRefusal(
  tx: Tx,
  server: McpServerRow,
  { code, retryAfterMs = busyForMs }: Extract<RemoteAnswer, { kind: 'not_called' }>,
  now: Date,
): Promise<void> {
  const after = (ms: number) => new Date(now.getTime() + ms);
  if (code === 'too_many_requests') {
    const unavailableUntil = after(Math.min(retryAfterMs, maxBusyMs));
    await patchMcpServer(tx, server.id, { unavailableUntil });
  }
  if (!refusals.has(code)) return;
  const unavailableUntil = after(refusedForMs);
  await patchMcpServer(tx, server.id, { unavailableUntil, refusedAt: server.refusedAt ?? now });
  if (server.refusedAt !== null) return;
  await notifyAdmins(tx, [{ mcpServerId: server.id, reason: 'mcp_server_refused' }], now);
}

async function recordTaken(
  tx: Tx,
  { serverId, credentialChangedAt }: ClaimedRemoteCall['remote'],
): Promise<void> {
  // Without a lock, which all calls of the server would wait for.
  const server = await findMcpServer(tx, serverId);
  if (server?.credentialChangedAt.getTime() !== credentialChangedAt.getTime()) return;
  if (server.refusedAt === null && server.unavailableUntil === null) return;
  await patchMcpServer(tx, serverId, { refusedAt: null, unavailableUntil: null });
}
