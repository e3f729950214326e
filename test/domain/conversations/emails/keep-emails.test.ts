import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { InboxRow } from '../../../../db/channels/inboxes.js';
import { exportedObjects } from '../../../../db/person-data/exported-rows.js';
import { keptMs } from '../../../../domain/conversations/emails/accept-email.js';
import { forgetOldEmails } from '../../../../domain/conversations/emails/forget-old-emails.js';
import { unreadEmails } from '../../../../domain/conversations/emails/reconcile-emails.js';
import { createMember } from '../../../../domain/people/members/create-member.js';
import { emptyOutbox } from '../../../support/db/empty-outbox.js';
import { type Mailroom, mailroomOf } from '../../../support/emails/hand-in.js';
import { mimeOf, receivingServer } from '../../../support/emails/mime.js';
import { allDeleted } from '../../../support/lib/all-batches.js';
import { days, MovedClock } from '../../../support/lib/moved-clock.js';
import { scratchStorage } from '../../../support/storage/scratch-storage.js';
import { createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';
import { addInbox } from '../../../support/workspace/inboxes.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
let workspace: TestWorkspace;
let inbox: InboxRow;
beforeEach(async () => {
  workspace = await createWorkspace(suite.workspace.database);
  inbox = await addInbox(workspace, { authservId: receivingServer });
});

let clock: MovedClock;
let room: Mailroom;
beforeEach(() => {
  clock = new MovedClock();
  const { storage, remove } = scratchStorage();
  onTestFinished(remove);
  room = mailroomOf(workspace, inbox, { clock, storage });
});

const rows = (table: string, condition = {}): Promise<Record<string, unknown>[]> =>
  workspace.within((tx) => tx(table).where(condition));
const forged = (text: string) => mimeOf({ from: 'ana@example.org', to: inbox.address, text, dmarc: 'fail' });
const forget = () =>
  allDeleted(() => forgetOldEmails({ db: workspace.database, clock }, workspace.workspaceId));

describe('the list of mails without a run', () => {
  it('has those that wait and that the relay does not have to start', async () => {
    const context = { db: workspace.database, clock };
    const { id, uuid } = await room.accept(forged('Waits'));
    const page = () => unreadEmails.page(context, workspace.workspaceId);
    expect((await page()).items).toEqual([]);
    await emptyOutbox(suite.database);
    const [found] = (await page()).items;
    expect(found).toMatchObject({ id, uuid });
    if (found !== undefined) await unreadEmails.repair(context, found, 'missing');
    expect(await rows('outbox', { subject: uuid })).toHaveLength(1);
    await room.receive(id);
    if (found !== undefined) await unreadEmails.repair(context, found, 'missing');
    expect(await rows('outbox', { subject: uuid })).toHaveLength(1);
  });
});

describe('old mails', () => {
  it('are deleted with their bytes, those that wait for a person later, and none that waits for its run', async () => {
    const held = await room.handIn(forged('Held'));
    const noted = await room.handIn(
      mimeOf({ from: 'bot@example.org', headers: ['Auto-Submitted: auto-generated'], text: 'Noted' }),
    );
    const { id: unread } = await room.accept(forged('Unread'));
    expect(await forget()).toBe(0);
    clock.advance(keptMs + days(1));
    expect(await forget()).toBe(1);
    expect(await rows('inbound_emails', { id: noted.id })).toEqual([]);
    expect(await rows('stored_objects', { id: noted.objectId })).toMatchObject([{ state: 'doomed' }]);
    clock.advance(2 * keptMs);
    expect(await forget()).toBe(1);
    expect(await rows('inbound_emails', { id: held.id })).toEqual([]);
    expect(await rows('inbound_emails', { id: unread })).toHaveLength(1);
  });
});

describe('the bytes of mails in the archive of a person', () => {
  it('are those of mails whose sender is proved', async () => {
    const email = `ana-${randomUUID().slice(0, 8)}@example.org`;
    const { id: memberId } = await createMember(workspace.context(), { email });
    const own = await room.handIn(mimeOf({ from: email, headers: ['Auto-Submitted: auto-generated'] }));
    await room.handIn(mimeOf({ from: email, dmarc: 'fail' }));
    const { workspaceId } = workspace;
    const found = [];
    for await (const object of exportedObjects(workspace.within, { workspaceId, memberId, accountId: null }))
      found.push(object);
    expect(found).toMatchObject([
      { id: own.objectId, filename: `mail-${own.id}.eml`, mimeType: 'message/rfc822' },
    ]);
  });
});
