import {
  findMcpServer,
  lockMcpServer,
  type McpServerRow,
  patchMcpServer,
} from '../../../db/definitions/mcp-servers.js';
import { selectMcpTools } from '../../../db/definitions/mcp-tools.js';
import type { Tx } from '../../../db/tx.js';
import { digestOfTool } from '../../definitions/mcp-servers/read-tool.js';
import { decryptToken } from '../../definitions/mcp-servers/server-token.js';
import type { AgentBudgets } from '../../kernel/agent-budgets.js';
import type { Listing } from '../../kernel/remote-tools.js';
import { type Encryption, Undecipherable } from '../../lib/encryption.js';
import { type CallAttempt, findEarlier, outcomeUnknown, takeAttempt } from '../requests/claim-attempt.js';
import { notConfigured } from '../requests/claim-request.js';
import type { ToolResult } from '../tools/tool-result.js';

/** A tool of a remote MCP server. */
interface RemoteTool {
  /** What a model calls it. */
  name: string;
  serverId: number;
  /** What its server calls it. */
  tool: string;
  /** Whether its server says that a second call does no harm. */
  mayRepeat: boolean;
}

/** A call of a remote tool that is about to be made, by this attempt only. It holds a secret: it is never stored or logged. */
export interface ClaimedRemoteCall {
  kind: 'claimed';
  tool: string;
  /** Identifies the attempt. */
  token: string;
  remote: {
    serverId: number;
    credentialChangedAt: Date;
    server: { url: string; token?: string | undefined };
    tool: string;
    arguments: Readonly<Record<string, unknown>>;
    /** Present if the server has to be asked for its tools before the call. Returns why the call is not made. */
    check: ((listing: Listing) => string | undefined) | undefined;
  };
}

const maxArgumentsLength = 16_384;
const deepestArguments = 20;
/** A server is asked for its tools before a call if it has not been for so long. */
const listedForMs = 10 * 60_000;
/** One call in so long is made to a server that refuses its token. */
export const refusedForMs = 15 * 60_000;

/**
 * Claims the single attempt to call a remote tool, or tells why it is not called. One whose process died is claimed again only if
 * a second call does no harm. The caller holds the lock of the chat.
 */
export async function claimRemoteCall(
  encryption: Encryption | undefined,
  tx: Tx,
  call: CallAttempt,
  remote: RemoteTool,
  input: Readonly<Record<string, unknown>>,
  budgets: AgentBudgets,
): Promise<ClaimedRemoteCall | ToolResult> {
  const { token, now } = call;
  const earlier = await findEarlier(tx, call, remote.mayRepeat);
  if (earlier === undefined) return outcomeUnknown;
  const tooLarge = refusalOfArguments(input);
  if (tooLarge !== undefined) return tooLarge;
  const terms = await termsOf(tx, encryption, remote, now);
  if ('ok' in terms) return terms;
  const isTaken = await takeAttempt(tx, call, earlier, budgets);
  if (isTaken === undefined) return { ok: false, error: 'too_many_requests' };
  const { name, serverId, tool } = remote;
  return { kind: 'claimed', tool: name, token, remote: { serverId, tool, arguments: input, ...terms } };
}

type Terms = Pick<ClaimedRemoteCall['remote'], 'server' | 'check' | 'credentialChangedAt'>;

function refusalOfArguments(input: Readonly<Record<string, unknown>>): ToolResult | undefined {
  const problem = isDeeper(input, deepestArguments)
    ? `must be at most ${deepestArguments} levels deep`
    : JSON.stringify(input).length > maxArgumentsLength
      ? `must have at most ${maxArgumentsLength} characters`
      : undefined;
  if (problem === undefined) return undefined;
  return { ok: false, error: 'invalid_arguments', errors: [{ pointer: '', message: problem }] };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1));
}

async function termsOf(
  tx: Tx,
  encryption: Encryption | undefined,
  { serverId, tool }: RemoteTool,
  now: Date,
): Promise<Terms | ToolResult> {
  const found = await findMcpServer(tx, serverId);
  // One call alone tries whether the token is taken again.
  const server = found?.refusedAt == null ? found : await lockMcpServer(tx, serverId);
  if (server === undefined || encryption === undefined) return notConfigured;
  const credential = readToken(tx, encryption, server);
  if (credential === undefined) return notConfigured;
  if (server.unavailableUntil !== null && server.unavailableUntil > now) return refusalFor(server);
  // The next call has to wait for what becomes of this one.
  if (server.refusedAt !== null) {
    await patchMcpServer(tx, serverId, { unavailableUntil: new Date(now.getTime() + refusedForMs) });
  }
  const allowed = (await selectMcpTools(tx, serverId)).find((one) => one.name === tool)?.allowedDigest;
  const listedAt = server.refreshedAt?.getTime() ?? 0;
  const check =
    now.getTime() - listedAt < listedForMs
      ? undefined
      : (listing: Listing) => problemIn(listing, tool, allowed);
  const { url, credentialChangedAt } = server;
  return { server: { url, token: credential.token }, check, credentialChangedAt };
}

function refusalFor({ refusedAt }: McpServerRow): ToolResult {
  return refusedAt === null
    ? { ok: false, error: 'too_many_requests', note: 'The server asks to wait. Nothing was done.' }
    : {
        ok: false,
        error: 'request_not_configured',
        note: 'The server refuses the organization. Nothing was done.',
      };
}

/** Why a call is not made, after the server was asked for its tools. */
export const toolChanged = 'tool_changed';

function problemIn({ tools }: Listing, name: string, allowed: string | null | undefined): string | undefined {
  const listed = tools.find((tool) => tool.name === name);
  return listed !== undefined && digestOfTool(listed) === allowed ? undefined : toolChanged;
}

/** Undefined if the key of the service was changed, and the token was not set again. */
function readToken(
  tx: Tx,
  encryption: Encryption,
  server: McpServerRow,
): { token: string | undefined } | undefined {
  try {
    return { token: decryptToken(tx, encryption, server) };
  } catch (error) {
    if (error instanceof Undecipherable) return undefined;
    throw error;
  }
}
