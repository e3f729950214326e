import { randomBytes, randomUUID } from 'node:crypto';
import { insertInbox } from '../../db/channels/inboxes.js';
import { insertMcpServer } from '../../db/definitions/mcp-servers.js';
import { insertMcpTool } from '../../db/definitions/mcp-tools.js';
import { insertSecretRow } from '../../db/definitions/secrets.js';
import type { Tx } from '../../db/tx.js';
import { maxMcpServers } from '../definitions/mcp-servers/mcp-servers.js';
import { readTool } from '../definitions/mcp-servers/read-tool.js';
import type { RevisionTask } from '../definitions/revision-rules/types.js';
import { walkTasks } from '../definitions/revision-rules/walk-tasks.js';
import { encryptSecret } from '../definitions/secrets/secret-values.js';
import { maxSecrets } from '../definitions/secrets/secrets.js';
import type {
  HttpRequest,
  HttpRequestConfig,
  McpToolsConfig,
  SendEmailConfig,
} from '../kernel/ability-configs.js';
import { maxRequestHosts } from '../kernel/validate-allowed-hosts.js';
import type { Encryption } from '../lib/encryption.js';
import { InvalidInput } from '../lib/errors.js';
import { readUrlTemplate } from '../lib/url-template.js';

/** What the abilities of a definition reach outside of the workspace. In a simulation all of it is configured, and nothing is called. */
export interface Reached {
  requests: readonly HttpRequest[];
  remoteTools: McpToolsConfig['tools'];
  /** The addresses of inboxes. */
  inboxes: readonly string[];
}

export function reachedBy(rootTask: RevisionTask): Reached {
  const declared = [...walkTasks([rootTask])].flatMap(({ task }) => task.abilities ?? []);
  const configsOf = <Config>(type: string) =>
    declared.filter(({ abilityType }) => abilityType === type).map(({ config = {} }) => config as Config);
  const inboxes = configsOf<SendEmailConfig>('send_email').map(({ inbox }) => inbox);
  return {
    requests: configsOf<HttpRequestConfig>('http_request').flatMap(({ requests = [] }) => requests),
    remoteTools: configsOf<McpToolsConfig>('mcp_tools').flatMap(({ tools = [] }) => tools),
    inboxes: [...new Set(inboxes.filter((inbox) => inbox !== undefined))],
  };
}

/** What a workspace can have of each: a definition that needs more runs nowhere. */
const maxReached = {
  hosts: maxRequestHosts,
  secrets: maxSecrets,
  'remote MCP servers': maxMcpServers,
  'remote tools': 500,
  inboxes: 100,
} as const;

/** @throws InvalidInput `simulation_too_large` */
export function checkReached(reached: Reached): void {
  const { remoteTools, inboxes } = reached;
  const counts: Record<keyof typeof maxReached, number> = {
    hosts: hostsOf(reached).length,
    secrets: hostsBySecret(reached).size,
    'remote MCP servers': new Set(remoteTools.map(({ server }) => server)).size,
    'remote tools': remoteTools.length,
    inboxes: inboxes.length,
  };
  for (const [kind, max] of Object.entries(maxReached)) {
    if (counts[kind as keyof typeof maxReached] <= max) continue;
    throw new InvalidInput('simulation_too_large', `The definition names more than ${max} ${kind}.`);
  }
}

/** The hosts that the requests go to, each once. */
export function hostsOf({ requests }: Reached): string[] {
  return [...new Set(requests.flatMap(hostOf))];
}

function hostOf({ url }: HttpRequest): string[] {
  const template = readUrlTemplate(url);
  return typeof template === 'string' ? [] : [template.host];
}

/** Adds all of it to the workspace of a simulation, and the inbox of its workflow. */
export async function addReached(
  tx: Tx,
  reached: Reached,
  { definitionId, encryption, now }: { definitionId: number; encryption: Encryption; now: Date },
): Promise<void> {
  await addSecrets(tx, reached, encryption, now);
  await addRemoteTools(tx, reached, now);
  await addInboxes(tx, reached, definitionId, now);
}

/** The secrets of the requests, each with the hosts of those that name it. */
function hostsBySecret({ requests }: Reached): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const request of requests) {
    for (const { secret } of request.headers ?? []) {
      if (secret === undefined) continue;
      const hosts = found.get(secret) ?? new Set();
      for (const host of hostOf(request)) hosts.add(host);
      found.set(secret, hosts);
    }
  }
  return found;
}

async function addSecrets(tx: Tx, reached: Reached, encryption: Encryption, now: Date): Promise<void> {
  for (const [name, hosts] of hostsBySecret(reached)) {
    const uuid = randomUUID();
    const ciphertext = encryptSecret(tx, encryption, uuid, randomBytes(32).toString('hex'));
    const at = { valueChangedAt: now, createdAt: now, updatedAt: now };
    await insertSecretRow(tx, { uuid, name, hosts: [...hosts], ciphertext, ...at });
  }
}

/** Adds the remote tools, with their servers, as an admin has allowed them. */
async function addRemoteTools(tx: Tx, { remoteTools }: Reached, now: Date): Promise<void> {
  const at = { createdAt: now, updatedAt: now };
  for (const name of new Set(remoteTools.map(({ server }) => server))) {
    const url = 'https://simulation.invalid';
    const { id: serverId } = await insertMcpServer(tx, { name, url, credentialChangedAt: now, ...at });
    const ofServer = remoteTools.filter(({ server }) => server === name);
    for (const tool of new Set(ofServer.map((one) => one.tool))) {
      const description = 'A tool that is not allowed yet.';
      const read = readTool({ name: tool, description, inputSchema: { type: 'object' } });
      await insertMcpTool(tx, { serverId, ...read, allowedDigest: read.digest, approval: 'none', ...at });
    }
  }
}

/** Emails of the agent come from that of the workflow, or from those that it names. No mail server is asked for them. */
async function addInboxes(tx: Tx, { inboxes }: Reached, definitionId: number, now: Date): Promise<void> {
  await addInbox(tx, 'inbox@simulation.invalid', definitionId, now);
  for (const address of inboxes) await addInbox(tx, address, null, now);
}

async function addInbox(
  tx: Tx,
  address: string,
  definitionId: number | null,
  createdAt: Date,
): Promise<void> {
  await insertInbox(tx, {
    uuid: randomUUID(),
    address,
    fromName: 'Simulation',
    signature: '',
    assistantMemberId: null,
    definitionId,
    enabled: true,
    authservId: null,
    inboundSecretHash: randomBytes(32),
    inboundSecret: null,
    smtpHost: null,
    smtpPort: null,
    smtpSecurity: null,
    smtpUser: null,
    smtpPassword: null,
    createdAt,
  });
}
