import { expect, test } from 'vitest';
import { listEventRules } from '../../../../domain/events/event-rules/event-rule-details.js';
import { ensureRecordWebhook } from '../../../../tools/dev/seed/seed-webhook-rule.js';
import { useDatabase } from '../../../support/db/use-database.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { createWorkspace } from '../../../support/workspace/factories.js';

const signingSecret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const page = { page: 1, pageSize: 10, sortBy: 'name', sortOrder: 'asc' } as const;

const testDatabase = useDatabase();

test('keeps one rule for the webhook sink over repeated starts, also with another port', async () => {
  const workspace = await createWorkspace(testDatabase.database);
  const context = { ...workspace.context(), encryption: testEncryption };
  const rules = async () => (await listEventRules(context, page)).items;

  await ensureRecordWebhook(context, { url: 'http://127.0.0.1:4014', signingSecret });
  const [first] = await rules();
  expect(first).toMatchObject({
    eventType: 'data_record:changed',
    webhookUrl: 'http://127.0.0.1:4014/hooks/records',
    enabled: true,
    secrets: [{ expiresAt: null }],
  });

  await ensureRecordWebhook(context, { url: 'http://127.0.0.1:4014', signingSecret });
  expect(await rules()).toEqual([first]);

  await ensureRecordWebhook(context, { url: 'http://127.0.0.1:5014', signingSecret });
  expect(await rules()).toMatchObject([
    { id: first?.id, webhookUrl: 'http://127.0.0.1:5014/hooks/records', secrets: first?.secrets },
  ]);
});
