import { randomUUID } from 'node:crypto';
import {
  countSecrets,
  findSecret,
  insertSecretRow,
  lockSecret,
  patchSecret,
  removeSecret,
  type SecretRow,
  selectSecrets,
} from '../../../db/definitions/secrets.js';
import {
  type DefinitionName,
  selectDefinitionsWithAbility,
} from '../../../db/definitions/workflow-definitions.js';
import { violatedConstraint } from '../../../db/postgres-errors.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { checkRequestHosts } from '../../kernel/validate-allowed-hosts.js';
import type { Encryption } from '../../lib/encryption.js';
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.js';
import { encryptSecret } from './secret-values.js';

export const maxSecrets = 100;

/** The context of commands that store secrets. */
export interface SecretsContext extends CommandContext {
  encryption: Encryption;
}

export interface SecretInput {
  name: string;
  value: string;
  /** The only hosts that it is sent to. */
  hosts: string[];
}

/** All secrets of the workspace, by name, without their values. @throws Forbidden */
export async function listSecrets({ db, actor }: CommandContext): Promise<SecretRow[]> {
  actor.require('workspace:write');
  return db.readInWorkspace(actor.workspaceId, selectSecrets);
}

/** A secret with the workflows in use whose requests carry it. @throws Forbidden, NotFound */
export async function getSecret(
  { db, actor }: CommandContext,
  id: number,
): Promise<SecretRow & { workflows: DefinitionName[] }> {
  actor.require('workspace:write');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const secret = await findSecret(tx, id);
    if (secret === undefined) throw new NotFound('Secret');
    const part = { requests: [{ headers: [{ secret: secret.name }] }] };
    return { ...secret, workflows: await selectDefinitionsWithAbility(tx, 'http_request', part) };
  });
}

/** @throws Forbidden, InvalidInput `duplicate`, Conflict `too_many_secrets` */
export async function createSecret(
  { db, clock, actor, encryption }: SecretsContext,
  { name, value, hosts }: SecretInput,
): Promise<SecretRow> {
  actor.require('workspace:write');
  requireHosts(hosts);
  const now = clock.now();
  const uuid = randomUUID();
  try {
    return await db.inWorkspace(actor.workspaceId, async (tx) => {
      if ((await countSecrets(tx)) >= maxSecrets) {
        throw new Conflict('too_many_secrets', `A workspace has at most ${maxSecrets} secrets.`);
      }
      const ciphertext = encryptSecret(tx, encryption, uuid, value);
      const changed = { changedByMemberId: actor.memberId, valueChangedAt: now };
      const secret = await insertSecretRow(tx, {
        uuid,
        name,
        hosts,
        ciphertext,
        ...changed,
        createdAt: now,
        updatedAt: now,
      });
      recordAudit(tx, { clock, actor }, 'secret:created', { subject: ['secret', secret.id] });
      return secret;
    });
  } catch (error) {
    if (violatedConstraint(error) !== 'secrets_workspace_id_name_key') throw error;
    throw InvalidInput.field('/name', 'is the name of another secret', 'duplicate');
  }
}

/**
 * Replaces the value of a secret, which holds from the next request on. The hosts change with the value only: otherwise a
 * colleague could have a value that it does not know sent to a host of its own.
 * @throws Forbidden, NotFound, InvalidInput
 */
export async function updateSecret(
  { db, clock, actor, encryption }: SecretsContext,
  id: number,
  { value, hosts }: Pick<SecretInput, 'value'> & Partial<Pick<SecretInput, 'hosts'>>,
): Promise<SecretRow> {
  actor.require('workspace:write');
  if (hosts !== undefined) requireHosts(hosts);
  const now = clock.now();
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const secret = await lockSecret(tx, id);
    if (secret === undefined) throw new NotFound('Secret');
    recordAudit(tx, { clock, actor }, 'secret:rotated', { subject: ['secret', id] });
    return patchSecret(tx, id, {
      ciphertext: encryptSecret(tx, encryption, secret.uuid, value),
      ...(hosts === undefined ? {} : { hosts }),
      changedByMemberId: actor.memberId,
      valueChangedAt: now,
      refusedAt: null,
      updatedAt: now,
    });
  });
}

/** Deletes a secret. Requests that need it are not made any more. @throws Forbidden, NotFound */
export async function deleteSecret({ db, clock, actor }: CommandContext, id: number): Promise<void> {
  actor.require('workspace:write');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    if (!(await removeSecret(tx, id))) throw new NotFound('Secret');
    recordAudit(tx, { clock, actor }, 'secret:deleted', { subject: ['secret', id] });
  });
}

function requireHosts(hosts: readonly string[]): void {
  const errors = checkRequestHosts(hosts, '/hosts');
  if (errors.length > 0) throw InvalidInput.fields(errors);
}
