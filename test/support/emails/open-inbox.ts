import { randomUUID } from 'node:crypto';
import type { InboxRow } from '../../../db/channels/inboxes.js';
import { createInbox } from '../../../domain/channels/inboxes/create-inbox.js';
import { testEncryption } from '../lib/encryption.js';
import type { TestSystem } from '../system/system.js';
import type { TestWorkspace } from '../workspace/factories.js';
import { testInboxPolicy, uniqueInboxAddress } from '../workspace/inboxes.js';
import { type MimeMail, mimeOf, receivingServer } from './mime.js';

export interface OpenInbox {
  id: number;
  row: InboxRow;
  address: string;
  secret: string;
  /** Where mail is handed in. */
  url: string;
  /** Hands a mail of somebody new in. */
  handIn(text: string, more?: Partial<MimeMail>): Promise<{ uuid: string }>;
}

/**
 * An inbox of the workspace, for which the simulated mail server receives from now on.
 * @param patienceMs for how long that server tries again; absent: some seconds
 */
export async function openInbox(
  { api, mail }: Pick<TestSystem, 'api' | 'mail'>,
  workspace: TestWorkspace,
  patienceMs?: number,
): Promise<OpenInbox> {
  const context = { ...workspace.context(), encryption: testEncryption, policy: testInboxPolicy };
  const address = uniqueInboxAddress();
  const settings = { address, fromName: 'The Clinic', authservId: receivingServer };
  const { inbox, inboundSecret: secret } = await createInbox(context, settings);
  const path = `/inboxes/${inbox.uuid}/inbound`;
  const url = `${api.baseUrl}/api/v2${path}`;
  const patience = patienceMs === undefined ? {} : { patienceMs };
  await mail.subscribe({ address, url, secret, authservId: receivingServer, ...patience });
  return {
    id: inbox.id,
    row: inbox,
    address,
    secret,
    url,
    async handIn(text, more = {}) {
      const from = `ana-${randomUUID().slice(0, 8)}@example.org`;
      const raw = new Uint8Array(mimeOf({ from, to: address, text, ...more }));
      const headers = { 'Content-Type': 'message/rfc822', 'X-Inbox-Secret': secret };
      const { status, body } = await api.request('POST', path, { raw, headers });
      if (status !== 202) throw new Error(`the mail was answered with ${status}`);
      return body;
    },
  };
}
