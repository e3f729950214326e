import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createInbox } from '../../domain/channels/inboxes/create-inbox.js';
import { blocksIn, readPage } from '../readme/markdown.js';
import { runBlocks } from '../readme/shell.js';
import { useApi } from '../support/api/use-api.js';
import { testEncryption } from '../support/lib/encryption.js';
import { testInboxPolicy, uniqueInboxAddress } from '../support/workspace/inboxes.js';

const { workspace, api } = useApi();
const page = await readPage('docs/email.md');

it('shows how mail is handed in, with the secret and with a signature', async () => {
  const context = { ...workspace.context(), encryption: testEncryption, policy: testInboxPolicy };
  const address = uniqueInboxAddress();
  const { inbox, inboundSecret } = await createInbox(context, { address, fromName: 'The Clinic' });
  const folder = await mkdtemp(join(tmpdir(), 'mail-'));
  await mkdir(join(folder, '.data'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const blocks = blocksIn(page, 'sh').filter((block) => block.includes('/inbound'));
  const env = {
    ...process.env,
    API: `${api.baseUrl}/api/v2`,
    INBOX_UUID: inbox.uuid,
    SECRET: inboundSecret,
  };
  const outcomes = await runBlocks(blocks, { cwd: folder, env });
  expect(outcomes.map(({ statuses }) => statuses)).toEqual([[202], [202]]);
  const [first, second] = outcomes.map(({ output }) => output);
  expect(second).toBe(first);
});
