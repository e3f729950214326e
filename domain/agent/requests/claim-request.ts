import { type SecretRow, selectSecretsByName, type UsedSecret } from '../../../db/definitions/secrets.js';
import { requestHostsOf } from '../../../db/identity/workspaces.js';
import type { Tx } from '../../../db/tx.js';
import { decryptSecret } from '../../definitions/secrets/secret-values.js';
import type { HttpRequest } from '../../kernel/ability-configs.js';
import type { AgentBudgets } from '../../kernel/agent-budgets.js';
import { type Encryption, Undecipherable } from '../../lib/encryption.js';
import type { ToolResult } from '../tools/tool-result.js';
import { type CallAttempt, findEarlier, outcomeUnknown, takeAttempt } from './claim-attempt.js';
import { composeRequest } from './compose-request.js';

/** A request that is about to be sent, by this attempt only. It holds secrets: it is never stored or logged. */
export interface OutgoingRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  timeoutMs: number;
  maxBytes: number;
  /** Whether it may be sent again within this attempt. */
  idempotent: boolean;
  /** The values that its headers carry. */
  secrets: readonly string[];
  usedSecrets: readonly UsedSecret[];
}

export interface ClaimedRequest {
  kind: 'claimed';
  tool: string;
  token: string;
  request: OutgoingRequest;
}

export const notConfigured: ToolResult = { ok: false, error: 'request_not_configured' };

/**
 * Claims the single attempt to send the request of a tool call, or tells why it is not sent. One whose process died is
 * claimed again only if it is idempotent. The caller holds the lock of the chat.
 */
export async function claimRequest(
  encryption: Encryption | undefined,
  tx: Tx,
  call: CallAttempt,
  request: HttpRequest,
  input: Readonly<Record<string, unknown>>,
  budgets: AgentBudgets,
): Promise<ClaimedRequest | ToolResult> {
  const earlier = await findEarlier(tx, call, request.idempotent === true);
  if (earlier === undefined) return outcomeUnknown;

  const composed = composeRequest(request, input);
  if ('refused' in composed) {
    const errors = [
      { pointer: `/${composed.refused}`, message: 'has characters that the address cannot carry' },
    ];
    return { ok: false, error: 'invalid_arguments', errors };
  }
  const terms = await termsOf(tx, encryption, composed.host, request.headers ?? []);
  if (terms === undefined) return notConfigured;
  const idempotencyKey = await takeAttempt(tx, call, earlier, budgets);
  if (idempotencyKey === undefined) return { ok: false, error: 'too_many_requests' };
  return {
    kind: 'claimed',
    tool: request.name,
    token: call.token,
    request: {
      method: composed.method,
      url: composed.url,
      body: composed.body,
      headers: {
        ...composed.headers,
        ...terms.headers,
        ...(request.idempotent === true ? { 'Idempotency-Key': idempotencyKey } : {}),
      },
      timeoutMs: (request.timeoutSeconds ?? 10) * 1_000,
      maxBytes: request.maxResultBytes ?? 8_192,
      idempotent: request.idempotent === true,
      secrets: terms.secrets.map(({ value }) => value),
      usedSecrets: terms.secrets.map(({ secret: { id, valueChangedAt } }) => ({ id, valueChangedAt })),
    },
  };
}

type Headers = NonNullable<HttpRequest['headers']>;

/** The headers with secrets; undefined if the host is not allowed, or a secret is missing or not meant for it. */
async function termsOf(
  tx: Tx,
  encryption: Encryption | undefined,
  host: string,
  declared: Headers,
): Promise<{ headers: Record<string, string>; secrets: { secret: SecretRow; value: string }[] } | undefined> {
  if (!(await requestHostsOf(tx)).includes(host)) return undefined;
  const names = declared.flatMap(({ secret }) => (secret === undefined ? [] : [secret]));
  const found = await selectSecretsByName(tx, [...new Set(names)]);
  const headers: Record<string, string> = {};
  const secrets: { secret: SecretRow; value: string }[] = [];
  for (const { name, secret: secretName, prefix = '' } of declared) {
    if (secretName === undefined) continue;
    const secret = found.find((one) => one.name === secretName);
    if (secret === undefined || !secret.hosts.includes(host) || encryption === undefined) return undefined;
    const value = readValue(tx, encryption, secret);
    if (value === undefined) return undefined;
    headers[name] = `${prefix}${value}`;
    secrets.push({ secret, value });
  }
  return { headers, secrets };
}

/** Undefined if the key of the service was changed, and the secret was not set again. */
function readValue(tx: Tx, encryption: Encryption, secret: SecretRow): string | undefined {
  try {
    return decryptSecret(tx, encryption, secret);
  } catch (error) {
    if (error instanceof Undecipherable) return undefined;
    throw error;
  }
}
