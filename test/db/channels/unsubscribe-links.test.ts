import { createHash } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { addInbox } from '../../support/workspace/inboxes.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
let inboxId: number;

beforeAll(async () => {
  inboxId = (await addInbox(workspace)).id;
});

const addressOf = (token: string) => `${token}@patients.example`;
const digestOf = (token: string) =>
  `sha256:${createHash('sha256')
    .update(`${workspace.workspaceId}:${addressOf(token)}`)
    .digest('hex')}`;
const write = (token: string) =>
  workspace.within(async (tx) =>
    tx('emails').insert({
      workspace_id: workspace.workspaceId,
      inbox_id: inboxId,
      direction: 'out',
      subject: '',
      from_address: 'desk@inboxes.example',
      from_name: 'Desk',
      to_address: addressOf(token),
      unsubscribe_token: token,
      automatic: true,
      created_at: new Date(),
    }),
  );
const linked = () =>
  workspace.within(async (tx) =>
    tx('unsubscribe_links').orderBy('token').select('token', 'recipient_digest'),
  );

it('an email has a link, which outlives it and not its revocation', async () => {
  for (const token of ['kept', 'revoked']) await write(token);
  const kept = { token: 'kept', recipient_digest: digestOf('kept') };
  expect(await linked()).toEqual([kept, { token: 'revoked', recipient_digest: digestOf('revoked') }]);

  await workspace.within(async (tx) =>
    tx('emails').where({ unsubscribe_token: 'revoked' }).update({ tokens_revoked_at: new Date() }),
  );
  expect(await linked()).toEqual([kept]);

  await workspace.within(async (tx) => tx('emails').whereNotNull('unsubscribe_token').delete());
  expect(await linked()).toEqual([kept]);
});

it('an opt-out has the digest of its address, which it may be itself', async () => {
  const recipients = [addressOf('out'), digestOf('erased')];
  for (const recipient of recipients) {
    await workspace.within(async (tx) =>
      tx('email_opt_outs').insert({
        workspace_id: workspace.workspaceId,
        recipient,
        opted_out_at: new Date(),
        source: 'link',
      }),
    );
  }

  const digests = await workspace.within(async (tx) =>
    tx('email_opt_outs').orderBy('id').pluck('recipient_digest'),
  );
  expect(digests).toEqual([digestOf('out'), digestOf('erased')]);
});
