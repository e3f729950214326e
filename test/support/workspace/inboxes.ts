import { randomUUID } from 'node:crypto';
import type { InboxRow } from '../../../db/channels/inboxes.js';
import { type CreateInbox, createInbox } from '../../../domain/channels/inboxes/create-inbox.js';
import type { InboxPolicy } from '../../../domain/channels/inboxes/inbox-address.js';
import { AddressPolicy } from '../../../providers/webhook/address-policy.js';
import { testEncryption } from '../lib/encryption.js';
import type { TestWorkspace } from './factories.js';

/** The relay sends for this domain. */
export const testInboxDomain = 'inboxes.example';

export const testInboxPolicy: InboxPolicy = {
  domain: testInboxDomain,
  reserved: ['login@inboxes.example'],
  allowsUnencrypted: true,
};

export const uniqueInboxAddress = () => `desk-${randomUUID().slice(0, 8)}@${testInboxDomain}`;

/** An inbox of the workspace, for which the relay sends unless told otherwise. */
export async function addInbox(
  workspace: TestWorkspace,
  values: Partial<CreateInbox> = {},
): Promise<InboxRow> {
  const context = { ...workspace.context(), encryption: testEncryption, policy: testInboxPolicy };
  const inbox = { address: uniqueInboxAddress(), fromName: 'The Clinic', ...values };
  return (await createInbox(context, inbox)).inbox;
}

/** Mail servers on this machine, without DNS. */
export const testMailHosts = new AddressPolicy({
  requireHttps: false,
  allowedNetworks: ['127.0.0.0/8'],
  resolve: async () => [],
});
