import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { InboxRow } from '../../../db/channels/inboxes.js';
import { encryptedColumns } from '../../../db/encryption/encrypted-columns.js';
import { createInbox } from '../../../domain/channels/inboxes/create-inbox.js';
import { inboundSecretsOf } from '../../../domain/channels/inboxes/inbox-secret.js';
import { readPassword, sealPassword } from '../../../domain/channels/inboxes/smtp-settings.js';
import { decryptToken, encryptToken } from '../../../domain/definitions/mcp-servers/server-token.js';
import { decryptSecret, encryptSecret } from '../../../domain/definitions/secrets/secret-values.js';
import { addSigningSecret, signingSecretsOf } from '../../../domain/events/event-rules/signing-secrets.js';
import { signingKeys } from '../../../domain/identity/oauth/signing-keys.js';
import { subjectKey } from '../../../domain/identity/oauth/subject-key.js';
import { secretContext } from '../../../domain/identity/single-sign-on/sso-settings.js';
import { systemClock } from '../../../domain/lib/clock.js';
import { Encryption } from '../../../domain/lib/encryption.js';
import { reEncrypt } from '../../../runtime/re-encrypt.js';
import { useConnection } from '../../support/db/use-database.js';
import { testEncryptionKey } from '../../support/lib/encryption.js';
import { testInboxPolicy, uniqueInboxAddress } from '../../support/workspace/inboxes.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const stage = useWorkspace({ storesEvents: true });
const query = useConnection(() => stage.database.superuserUrl);
const newKey = 'another encryption key of tests, of more than 32 characters';
const [old, renewed] = [new Encryption(testEncryptionKey), new Encryption(newKey)];

const run = (keys: { key?: string; previous?: string } = {}) =>
  reEncrypt({
    MIGRATOR_DATABASE_URL: stage.database.migratorUrl,
    ENCRYPTION_KEY: keys.key ?? newKey,
    ENCRYPTION_KEY_PREVIOUS: keys.previous ?? testEncryptionKey,
  });

/** All ciphertexts, by column. */
async function stored(): Promise<Map<string, Buffer[]>> {
  const found = new Map<string, Buffer[]>();
  for (const { table, column, key } of encryptedColumns) {
    const { rows } = await query<{ bytes: Buffer }>(
      `select ${column} as bytes from ${table} where ${column} is not null order by ${key}`,
    );
    found.set(
      `${table}.${column}`,
      rows.map(({ bytes }) => bytes),
    );
  }
  return found;
}

/** The columns of bytes that hold digests, by the form of their names, or by name. */
const digests = /(_|\.)(hash|digest|fingerprint|sha256|hint)$/;
const otherBytes = [
  'identity.login_codes.nonce',
  'identity.login_limits.key',
  'public.stored_objects.mailed_domain',
];

describe('the encrypted columns', () => {
  it('are all columns of bytes that hold no digests', async () => {
    const { rows } = await query<{ name: string }>(
      `select table_schema || '.' || table_name || '.' || column_name as name
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema in ('public', 'identity') and table_type = 'BASE TABLE' and data_type = 'bytea'`,
    );
    const unknown = rows
      .map(({ name }) => name)
      .filter((name) => !digests.test(name) && !otherBytes.includes(name));
    const declared = encryptedColumns.map(({ table, column }) => `${table}.${column}`);
    expect(unknown.toSorted()).toEqual(declared.toSorted());
  });
});

describe('re-encrypting', () => {
  let eventRuleId: number;
  let inboxUuid: string;
  const secret = { uuid: randomUUID(), organizationId: 4_711, hash: Buffer.from('a hash') };
  beforeAll(async () => {
    const { workspace, database } = stage;
    const { workspaceId } = workspace;
    const context = { ...workspace.context(), encryption: old, policy: testInboxPolicy };
    const settings = { address: uniqueInboxAddress(), fromName: 'The Clinic' };
    const { inbox } = await createInbox(context, settings);
    inboxUuid = inbox.uuid;
    const { rows } = await query<{ id: number }>('select id from event_rules limit 1');
    eventRuleId = Number(rows[0]?.id);
    const { ciphertext, token } = await database.database.inWorkspace(workspaceId, async (tx) => {
      // More than a batch.
      for (let number = 1; number <= 205; number += 1) {
        const created = { eventRuleId, text: `whsec_number_${number}`, createdAt: new Date() };
        await addSigningSecret(tx, old, created);
      }
      const token = encryptToken(tx, old, secret.uuid, 'the token');
      return { ciphertext: encryptSecret(tx, old, secret.uuid, 'the value'), token };
    });
    const oauth = { db: database.database, clock: systemClock, encryption: old };
    await subjectKey({ ...oauth, secrets: [testEncryptionKey] });
    await signingKeys(oauth);
    await query('set session_replication_role = replica');
    await query(
      `insert into secrets (workspace_id, uuid, name, hosts, ciphertext, value_changed_at)
       values ($1, $2, 'crm', '{}', $3, now())`,
      [workspaceId, secret.uuid, ciphertext],
    );
    await query(
      `insert into mcp_servers (workspace_id, uuid, name, url, token, credential_changed_at)
       values ($1, $2, 'tools', 'https://tools.example', $3, now())`,
      [workspaceId, secret.uuid, token],
    );
    await query(
      `update inboxes set smtp_host = 'mail.example', smtp_port = 587, smtp_security = 'tls', smtp_user = 'user',
         smtp_password = $2, previous_secret = inbound_secret, previous_secret_hash = inbound_secret_hash,
         previous_secret_until = now() + interval '1 day' where uuid = $1`,
      [inboxUuid, sealPassword(old, inbox, 'the password')],
    );
    await query(
      `insert into identity.identity_providers (organization_id, issuer, client_id, client_secret, email_domains, created_at, updated_at)
       values ($1, 'https://issuer.example', 'client', $2, '{}', now(), now())`,
      [secret.organizationId, old.encrypt('the client secret', secretContext(secret.organizationId))],
    );
    await query(
      `insert into identity.oauth_replays (hash, client_id, grant_id, answer, expires_at)
       values ($1, 'client', 'grant', $2, now())`,
      [secret.hash, old.encrypt('the answer', `OAuth refresh ${secret.hash.toString('hex')}`)],
    );
    await query('set session_replication_role = origin');
  });

  it('leaves what cannot be read as it is, and says so', async () => {
    const before = await stored();
    expect([...before.values()].every((values) => values.length > 0)).toBe(true);
    const { lines, isComplete } = await run({
      previous: 'a third key, which has encrypted nothing here at all',
    });
    expect(isComplete).toBe(false);
    expect(lines).toContain('identity.identity_providers.client_secret: 0 changed, 0 left, 1 undecipherable');
    expect(await stored()).toEqual(before);
  });

  it('gives every secret the new key, which the service then reads without the old one', async () => {
    const counts = [...(await stored())].map(([name, { length }]) => [name, length] as const);
    const { lines, isComplete } = await run();
    expect(isComplete).toBe(true);
    expect(lines).toEqual(
      counts.map(([name, count]) => `${name}: ${count} changed, 0 left, 0 undecipherable`),
    );

    const { workspace, database } = stage;
    const { database: db } = database;
    const { rows: secrets } = await query<{ ciphertext: Buffer }>('select ciphertext from secrets');
    const { rows: servers } = await query<{ token: Buffer }>('select token from mcp_servers');
    const { rows: providers } = await query<{ bytes: Buffer }>(
      'select client_secret as bytes from identity.identity_providers',
    );
    const { rows: inboxes } = await query<Record<string, Buffer>>('select * from inboxes where uuid = $1', [
      inboxUuid,
    ]);
    const inbox = { uuid: inboxUuid, workspaceId: workspace.workspaceId };
    const read = await db.inWorkspace(workspace.workspaceId, async (tx) => ({
      secret: decryptSecret(tx, renewed, { uuid: secret.uuid, ciphertext: secrets[0]?.ciphertext as Buffer }),
      token: decryptToken(tx, renewed, { uuid: secret.uuid, token: servers[0]?.token ?? null }),
      signing: await signingSecretsOf(tx, renewed, eventRuleId, new Date()),
    }));
    expect([read.secret, read.token]).toEqual(['the value', 'the token']);
    expect(read.signing).toContain('whsec_number_205');
    expect(readPassword(renewed, inbox, inboxes[0]?.smtp_password as Buffer)).toBe('the password');
    const row = {
      ...inbox,
      inboundSecret: inboxes[0]?.inbound_secret,
      inboundSecretHash: inboxes[0]?.inbound_secret_hash,
      previousSecret: inboxes[0]?.previous_secret,
      previousSecretHash: inboxes[0]?.inbound_secret_hash,
      previousSecretUntil: new Date(Date.now() + 60_000),
    } as unknown as InboxRow;
    expect(inboundSecretsOf(renewed, row, new Date())).toMatchObject({
      secrets: [expect.any(String), expect.any(String)],
      unreadable: undefined,
    });
    expect(renewed.decrypt(providers[0]?.bytes as Buffer, secretContext(secret.organizationId))).toBe(
      'the client secret',
    );
    expect(await signingKeys({ db, clock: systemClock, encryption: renewed })).toHaveLength(1);
  });

  it('changes nothing when it is repeated', async () => {
    const before = await stored();
    const { lines } = await run();
    expect(lines).toContain('identity.oauth_keys.private_key: 0 changed, 1 left, 0 undecipherable');
    expect(lines.every((line) => line.includes(' 0 changed,'))).toBe(true);
    expect(await stored()).toEqual(before);
  });

  it('keeps what the service changes meanwhile', async () => {
    const context = secretContext(secret.organizationId);
    const written = new Encryption(testEncryptionKey).encrypt('by the service', context);
    await query('begin');
    await query('update identity.identity_providers set client_secret = $1', [written]);
    // It waits for the row that the service holds, and reads that the value is another one by then.
    const running = run({ key: testEncryptionKey, previous: newKey });
    await expect.poll(async () => (await waiting()).length).toBe(1);
    await query('commit');
    expect((await running).lines).toContain(
      'identity.identity_providers.client_secret: 0 changed, 1 left, 0 undecipherable',
    );
    const { rows } = await query<{ bytes: Buffer }>(
      'select client_secret as bytes from identity.identity_providers',
    );
    expect(rows[0]?.bytes).toEqual(written);
  });

  it('needs a key that is long enough', async () => {
    await expect(run({ key: 'short' })).rejects.toThrow('ENCRYPTION_KEY has fewer than 32 characters.');
  });
});

/** Connections of the command that wait for a lock. */
async function waiting(): Promise<unknown[]> {
  // Within a transaction, PostgreSQL keeps the first answer.
  await query('select pg_stat_clear_snapshot()');
  const { rows } = await query(
    `select pid from pg_stat_activity where application_name = 'wes-re-encrypt' and wait_event_type = 'Lock'`,
  );
  return rows;
}
