import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { InboxRow } from '../../../../db/channels/inboxes.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { useApi } from '../../../support/api/use-api.js';
import { type Mailroom, mailroomOf } from '../../../support/emails/hand-in.js';
import { mimeOf, receivingServer } from '../../../support/emails/mime.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import { scratchStorage } from '../../../support/storage/scratch-storage.js';
import { addInbox } from '../../../support/workspace/inboxes.js';

const { storage } = scratchStorage();
const { workspace, otherWorkspace, api, asAdmin } = useApi({ storage });

let inbox: InboxRow;
let room: Mailroom;
let held: number;
const forged = mimeOf({ from: 'ana@example.org', subject: 'Please\r\n call', dmarc: 'fail' });
beforeAll(async () => {
  inbox = await addInbox(workspace, { authservId: receivingServer });
  room = mailroomOf(workspace, inbox, { clock: new MovedClock(), storage });
  held = (await room.handIn(forged)).id;
  await room.handIn(mimeOf({ from: 'bob@example.org', to: inbox.address }));
});

const path = '/inbound-emails';

describeAccess({ api, workspace, otherWorkspace }, ['the list', 'the raw message', 'the queue'], () => [
  { method: 'GET', path, scope: 'chats:read', needsPermission: true, namesItem: false },
  { method: 'GET', path: `${path}/${held}/raw`, scope: 'chats:read', needsPermission: true, namesItem: true },
  {
    method: 'POST',
    path: `${path}/${held}/resolve`,
    scope: 'chats:write',
    needsPermission: true,
    namesItem: true,
  },
]);

describe('the list of received mails', () => {
  it('says what became of each, the newest first', async () => {
    const { body } = await asAdmin('GET', path);
    expect(body).toMatchObject({
      total: 2,
      items: [
        { state: 'chat', reason: 'new_chat', from: 'bob@example.org', senderProved: true, hasRaw: false },
        {
          id: held,
          state: 'held',
          reason: 'sender_unproved',
          from: 'ana@example.org',
          senderProved: false,
          hasRaw: true,
        },
      ],
    });
  });

  it.each([
    ['state=held', 1],
    ['state=report', 0],
    ['inboxId=999999', 0],
  ])('can be filtered by %s', async (query, total) => {
    expect((await asAdmin('GET', `${path}?${query}`)).body.total).toBe(total);
  });
});

describe('a mail that waits for a person', () => {
  it('can be read as it came, as an attachment', async () => {
    const answer = await fetch(`${api.baseUrl}/api/v2${workspace.path(`${path}/${held}/raw`)}`, {
      headers: { Authorization: `Bearer ${workspace.admin.apiKey}` },
    });
    expect(answer.headers.get('Content-Disposition')).toMatch(/^attachment/);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      createHash('sha256').update(forged).digest('hex'),
    );
  });

  it('leaves the queue once somebody says so, and stays in the list', async () => {
    const again = await room.handIn(mimeOf({ from: 'eve@example.com', dmarc: null }));
    const waiting = async () =>
      (await asAdmin('GET', `${path}?needsResponse=true`)).body.items.map(({ id }: { id: number }) => id);
    expect(await waiting()).toContain(again.id);
    const first = await asAdmin('POST', `${path}/${again.id}/resolve`);
    expect(first.body).toMatchObject({ needsResponse: false, resolvedByMemberId: workspace.admin.memberId });
    expect((await asAdmin('POST', `${path}/${again.id}/resolve`)).body).toEqual(first.body);
    expect(await waiting()).not.toContain(again.id);
  });

  it('is not found if there is none', async () => {
    expect((await asAdmin('POST', `${path}/999999/resolve`)).status).toBe(404);
    expect((await asAdmin('GET', `${path}/999999/raw`)).status).toBe(404);
  });
});
