import { demo } from '../../../api/http/demo.js';
import { insertEmail } from '../../../db/channels/emails.js';
import { type CreateInbox, createInbox } from '../../../domain/channels/inboxes/create-inbox.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import type { Encryption } from '../../../domain/lib/encryption.js';
import { simulatedInboxDomain } from '../launcher/environments.js';
import { expectId } from './expect-id.js';

export const clinicInbox = `front-desk@${simulatedInboxDomain}`;

/** Creates the clinic's inbox, and one that an example deletes. */
export async function buildInboxes(context: CommandContext & { encryption: Encryption }): Promise<void> {
  const policy = { domain: simulatedInboxDomain, reserved: [], allowsUnencrypted: true };
  const add = async (inbox: CreateInbox, expected: number) =>
    expectId('inbox', (await createInbox({ ...context, policy }, inbox)).inbox, expected);
  await add({ address: clinicInbox, fromName: 'Demo Clinic', signature: '*Demo Clinic*' }, demo.inboxId);
  await add({ address: `spare@${simulatedInboxDomain}`, fromName: 'Spare desk' }, demo.inboxToDelete);
}

/** An email that a task has sent, with a link by which its recipient unsubscribes. Nothing is delivered. */
export async function buildExampleEmail({ db, actor, clock }: CommandContext): Promise<void> {
  await db.inWorkspace(actor.workspaceId, (tx) =>
    insertEmail(tx, {
      inboxId: demo.inboxId,
      direction: 'out',
      subject: 'Demo Clinic',
      fromAddress: clinicInbox,
      fromName: 'Demo Clinic',
      toAddress: 'kim@patients.example',
      unsubscribeToken: demo.unsubscribeToken,
      automatic: true,
      createdAt: clock.now(),
    }),
  );
}
