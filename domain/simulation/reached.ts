import { randomBytes, randomUUID } from 'node:crypto';
import { insertInbox } from '../../db/channels/inboxes.js';
import { insertMcpServer } from '../../db/definitions/mcp-servers.js';
import { insertMcpTool } from '../../db/definitions/mcp-tools.js';
import { insertSecretRow } from '../../db/definitions/secrets.js';
import type { Tx } from '../../db/tx.js';
import { readTool } from '../definitions/mcp-servers/read-tool.js';
import type { RevisionTask } from '../definitions/revision-rules/types.js';
import { walkTasks } from '../definitions/revision-rules/walk-tasks.js';
import { encryptSecret } from '../definitions/secrets/secret-values.js';
import type {
  HttpRequest,
  HttpRequestConfig,
  McpToolsConfig,
  SendEmailConfig,
} from '../kernel/ability-configs.js';
import type { Encryption } from '../lib/encryption.js';
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

/** Adds the secrets of the requests, each for all hosts that they go to. */
async function addSecrets(tx: Tx, reached: Reached, encryption: Encryption, now: Date): Promise<void> {
  const named = reached.requests.flatMap(({ headers = [] }) => headers.map(({ secret }) => secret));
  const hosts = hostsOf(reached);
  for (const name of new Set(named.filter((secret) => secret !== undefined))) {
    const uuid = randomUUID();
    const ciphertext = encryptSecret(tx, encryption, uuid, randomBytes(32).toString('hex'));
    const at = { valueChangedAt: now, createdAt: now, updatedAt: now };
    await insertSecretRow(tx, { uuid, name, hosts, ciphertext, ...at });
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
