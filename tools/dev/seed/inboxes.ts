import { Readable } from 'node:stream';
import { demo } from '../../../api/http/demo.js';
import { insertEmail } from '../../../db/channels/emails.js';
import { insertInboundEmail, patchInboundEmail } from '../../../db/channels/inbound-emails.js';
import { doomPendingObject, markObjectStored } from '../../../db/files/stored-objects.js';
import { type CreateInbox, createInbox } from '../../../domain/channels/inboxes/create-inbox.js';
import { mailType } from '../../../domain/conversations/emails/accept-email.js';
import { objectKey } from '../../../domain/files/object-store.js';
import type { FileStorage } from '../../../domain/files/objects/file-storage.js';
import { reserveObject } from '../../../domain/files/objects/reserve-object.js';
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
  const { db, actor } = context;
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    await tx('inboxes').where({ id: demo.inboxId }).update({ uuid: demo.inboxUuid });
    const owner = { workspaceId: actor.workspaceId, inboxId: demo.inboxId };
    await db.identity.inboxRoutes.release(clinicInbox, owner, tx);
    await db.identity.inboxRoutes.claim(clinicInbox, demo.inboxUuid, owner, tx);
  });
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

const exampleMail = `From: Kim Sample <kim@patients.example>
To: ${clinicInbox}
Subject: My appointment
Message-ID: <1@patients.example>
Date: Mon, 02 Nov 2026 09:00:00 +0000

Can I come on Friday instead?
`;

/** Bytes in the storage. */
export type ExampleMail = Pick<Parameters<typeof insertInboundEmail>[1], 'digest' | 'bytes'> & {
  objectId: number;
};

/** Puts the mail of the example into the storage, which is not asked within a transaction. */
export async function storeExampleMail(
  context: CommandContext,
  { objects, bytesPerWorkspace }: FileStorage,
): Promise<ExampleMail> {
  const { workspaceId, workspaceUuid } = context.actor;
  const source = Readable.from([Buffer.from(exampleMail)]);
  const spooled = await objects.receive(source, { maxBytes: exampleMail.length });
  const { bytes } = spooled;
  const digest = Buffer.from(spooled.sha256, 'hex');
  const object = await reserveObject(context, workspaceId, {
    object: { bytes, sha256: digest, mimeType: mailType, createdByMemberId: null },
    quota: bytesPerWorkspace,
  });
  await objects.put(objectKey(workspaceUuid, object.uuid), spooled, { mimeType: mailType });
  return { objectId: object.id, digest, bytes };
}

export async function dropExampleMail(
  { db, actor, clock }: CommandContext,
  { objectId }: ExampleMail,
): Promise<void> {
  await db.inWorkspace(actor.workspaceId, (tx) => doomPendingObject(tx, objectId, clock.now()));
}

/** A mail that waits for a person, because nothing vouches for its sender. */
export async function buildInboundEmail(
  { db, actor, clock }: CommandContext,
  mail: ExampleMail,
): Promise<void> {
  const now = clock.now();
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    await markObjectStored(tx, mail.objectId, now);
    const sender = { fromAddress: 'kim@patients.example', proved: false };
    const row = await insertInboundEmail(tx, { ...mail, ...sender, inboxId: demo.inboxId, receivedAt: now });
    if (row === undefined) throw new Error('the example of a mail was there before');
    expectId('inbound email', row, demo.inboundEmailId);
    const held = { state: 'held', reason: 'sender_unproved', needsResponse: true, settledAt: now } as const;
    await patchInboundEmail(tx, row.id, { ...held, subject: 'My appointment' });
  });
}
