import { expect, it } from 'vitest';
import { expireSecrets } from '../../../../db/events/event-rule-secrets.js';
import type { Tx } from '../../../../db/tx.js';
import { addSigningSecret, signingSecretsOf } from '../../../../domain/events/event-rules/signing-secrets.js';
import { Encryption } from '../../../../domain/lib/encryption.js';
import { testEncryption, testEncryptionKey } from '../../../support/lib/encryption.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { createWorkspace } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const setup = useWorkspace();
const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute));

function within<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return setup.workspace.within(work);
}

it('signingSecretsOf returns the secrets that have not expired, newest first', async () => {
  const { id: eventRuleId } = await addEventRule(setup.workspace);
  const read = (minute: number) =>
    within((tx) => signingSecretsOf(tx, testEncryption, eventRuleId, at(minute)));
  expect(await read(0)).toEqual([]);

  await within(async (tx) => {
    await addSigningSecret(tx, testEncryption, { eventRuleId, text: 'the first one', createdAt: at(0) });
    await expireSecrets(tx, eventRuleId, at(10));
    await addSigningSecret(tx, testEncryption, { eventRuleId, text: 'the second one', createdAt: at(1) });
    await expireSecrets(tx, eventRuleId, at(20));
    await addSigningSecret(tx, testEncryption, { eventRuleId, text: 'the third one', createdAt: at(2) });
  });

  expect(await read(9)).toEqual(['the third one', 'the second one', 'the first one']);
  expect(await read(10)).toEqual(['the third one', 'the second one']);
  expect(await read(20)).toEqual(['the third one']);
});

it('signingSecretsOf reads a secret with the previous key, and fails without it', async () => {
  const { id } = await addEventRule(setup.workspace, { secret: 'a signing secret' });
  const read = (encryption: Encryption) => within((tx) => signingSecretsOf(tx, encryption, id, at(0)));
  const next = 'the next key of tests, of more than 32 characters';
  expect(await read(new Encryption(next, testEncryptionKey))).toEqual(['a signing secret']);
  await expect(read(new Encryption(next))).rejects.toMatchObject({ code: 'encryption_key_unknown' });
});

it('signing secrets are stored encrypted, and cannot be decrypted in another rule or workspace', async () => {
  const text = 'a signing secret';
  const mine = await addEventRule(setup.workspace, { secret: text });
  const stored = await within((tx) => tx('event_rule_secrets').where({ event_rule_id: mine.id }).first());
  expect(stored.ciphertext.toString('latin1')).not.toContain(text);

  const other = await addEventRule(setup.workspace);
  const move = { event_rule_id: other.id };
  await within((tx) => tx('event_rule_secrets').where({ id: stored.id }).update(move));
  await expect(within((tx) => signingSecretsOf(tx, testEncryption, other.id, at(0)))).rejects.toMatchObject({
    code: 'ciphertext_invalid',
  });

  const elsewhere = await createWorkspace(setup.database.database);
  const theirs = await addEventRule(elsewhere);
  const reading = elsewhere.database.inWorkspace(elsewhere.workspaceId, async (tx) => {
    await tx('event_rule_secrets').insert({
      workspace_id: elsewhere.workspaceId,
      event_rule_id: theirs.id,
      ciphertext: stored.ciphertext,
      created_at: at(0),
    });
    return signingSecretsOf(tx, testEncryption, theirs.id, at(0));
  });
  await expect(reading).rejects.toMatchObject({ code: 'ciphertext_invalid' });
});
