import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { checkQuotas, mailsOfInbox, RateLimits } from '../../../../api/http/rate-limits.js';
import { patchInbox } from '../../../../db/channels/inboxes.js';
import { createInbox } from '../../../../domain/channels/inboxes/create-inbox.js';
import { rotateInboundSecret } from '../../../../domain/channels/inboxes/rotate-inbound-secret.js';
import { mostMailBytes, mostUnread } from '../../../../domain/conversations/emails/accept-email.js';
import { TooManyRequests } from '../../../../domain/lib/errors.js';
import { StorageBusy } from '../../../../providers/storage/storage.js';
import { startApi } from '../../../support/api/api.js';
import { useApi } from '../../../support/api/use-api.js';
import { mimeOf } from '../../../support/emails/mime.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { scratchStorage } from '../../../support/storage/scratch-storage.js';
import { testInboxPolicy, uniqueInboxAddress } from '../../../support/workspace/inboxes.js';

const { workspace, api } = useApi();

let inbox: { id: number; uuid: string; address: string };
let secret: string;
beforeEach(async () => {
  const context = { ...workspace.context(), encryption: testEncryption, policy: testInboxPolicy };
  const created = await createInbox(context, { address: uniqueInboxAddress(), fromName: 'The Clinic' });
  inbox = created.inbox;
  secret = created.inboundSecret;
});

const mail = (text = 'Hello') => mimeOf({ from: 'ana@example.org', to: inbox.address, text });
const mailHeaders = () => ({ 'Content-Type': 'message/rfc822', 'X-Inbox-Secret': secret });
const handIn = (raw: Buffer, headers: Record<string, string> = mailHeaders(), uuid = inbox.uuid, to = api) =>
  to.request('POST', `/inboxes/${uuid}/inbound`, { raw: new Uint8Array(raw), headers });
const rows = (table: string, condition = {}): Promise<Record<string, unknown>[]> =>
  workspace.database.readInWorkspace(workspace.workspaceId, (tx) => tx(table).where(condition).orderBy('id'));
const stored = () => rows('inbound_emails', { inbox_id: inbox.id });

describe('a mail that is handed in', () => {
  it('is stored with its bytes, and its run is started, when it is answered', async () => {
    const answer = await handIn(mail());

    expect(answer).toMatchObject({ status: 202, body: { uuid: expect.any(String) } });
    const [row] = await stored();
    expect(row).toMatchObject({ uuid: answer.body.uuid, state: 'received', bytes: mail().length });
    const [object] = await rows('stored_objects', { id: row?.object_id });
    expect(object).toMatchObject({
      state: 'stored',
      mime_type: 'message/rfc822',
      expires_at: null,
    });
    const [entry] = await rows('outbox', { subject: answer.body.uuid });
    expect(entry).toMatchObject({ run_type: 'receiveEmail', action: 'start' });
    expect(entry?.input).toMatchObject({ inboxId: inbox.id, inboundEmailId: Number(row?.id) });
  });

  it('is one with its copies, also at once', async () => {
    const raw = mail();
    const copy = Buffer.concat([Buffer.from('Received: by another\r\n'), raw]);
    const answers = await Promise.all([handIn(raw), handIn(copy), handIn(raw)]);
    expect(new Set(answers.map(({ body }) => body.uuid)).size).toBe(1);
    expect(await stored()).toHaveLength(1);
    expect(await rows('stored_objects', { state: 'stored', mime_type: 'message/rfc822' })).toHaveLength(
      (await rows('inbound_emails')).length,
    );
  });
});

describe('the secret', () => {
  const refused = { status: 401, body: { code: 'inbox_refused' } };

  it.each([
    ['wrong', () => ({ 'X-Inbox-Secret': `${secret}x` })],
    ['empty', () => ({ 'X-Inbox-Secret': '' })],
    ['missing', () => ({})],
    ['sent as an API key', () => ({ Authorization: `Bearer ${secret}` })],
  ])('is refused if it is %s, and nothing is stored', async (_how, headers) => {
    expect(await handIn(mail(), { 'Content-Type': 'message/rfc822', ...headers() })).toMatchObject(refused);
    expect(await stored()).toEqual([]);
  });

  it('of an unknown inbox is refused in the same way', async () => {
    const wrong = await handIn(mail(), { ...mailHeaders(), 'X-Inbox-Secret': 'wrong' });
    for (const uuid of [randomUUID(), 'none']) {
      const { requestId: _one, ...unknown } = (await handIn(mail(), mailHeaders(), uuid)).body;
      const { requestId: _other, ...body } = wrong.body;
      expect(unknown).toEqual(body);
    }
  });

  it('of another inbox is refused', async () => {
    const context = { ...workspace.context(), encryption: testEncryption, policy: testInboxPolicy };
    const other = await createInbox(context, { address: uniqueInboxAddress(), fromName: 'Other' });
    expect(await handIn(mail(), mailHeaders(), other.inbox.uuid)).toMatchObject(refused);
  });

  it('stays valid for a day after a rotation', async () => {
    await rotateInboundSecret(workspace.context(), inbox.id);
    expect((await handIn(mail('One'))).status).toBe(202);
    await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      patchInbox(tx, inbox.id, { previousSecretUntil: new Date(Date.now() - 1), updatedAt: new Date() }),
    );
    expect(await handIn(mail('Two'))).toMatchObject(refused);
  });
});

describe('a body', () => {
  it('of another type is 415', async () => {
    const headers = { ...mailHeaders(), 'Content-Type': 'text/plain' };
    expect(await handIn(mail(), headers)).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    });
    const encoded = await handIn(mail(), { ...mailHeaders(), 'Content-Encoding': 'gzip' });
    expect(encoded).toMatchObject({ status: 415 });
  });

  it('that is empty is 400', async () => {
    expect(await handIn(Buffer.alloc(0))).toMatchObject({ status: 400, body: { code: 'malformed_body' } });
  });

  it('that is too large is 413, with and without its length, and leaves nothing', async () => {
    const { storage, remove } = scratchStorage();
    onTestFinished(remove);
    const own = await startApi(workspace.database, { storage });
    onTestFinished(() => own.close());
    const large = Buffer.alloc(mostMailBytes + 1, 'a');
    expect(await handIn(large, mailHeaders(), inbox.uuid, own)).toMatchObject({ status: 413 });
    const chunked = await sendInPieces(own.baseUrl, large);
    expect(chunked).toBe(413);
    expect(readdirSync(storage.spoolFolder)).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  function sendInPieces(baseUrl: string, bytes: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      const sent = httpRequest(
        `${baseUrl}/api/v2/inboxes/${inbox.uuid}/inbound`,
        { method: 'POST', headers: { ...mailHeaders(), 'Transfer-Encoding': 'chunked' } },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        },
      );
      sent.once('error', reject);
      for (let at = 0; at < bytes.length; at += 1_048_576) sent.write(bytes.subarray(at, at + 1_048_576));
      sent.end();
    });
  }
});

describe('what is beyond a bound', () => {
  it('is refused for now while too many mails wait', async () => {
    await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx.raw(
        `insert into inbound_emails (workspace_id, inbox_id, digest, bytes, received_at)
         select ?, ?, decode(md5(n::text), 'hex'), 1, now() from generate_series(1, ?) n`,
        [workspace.workspaceId, inbox.id, mostUnread],
      ),
    );
    const answer = await handIn(mail());
    expect(answer).toMatchObject({ status: 503, body: { code: 'too_many_mails' } });
    expect(answer.headers.get('Retry-After')).toBe('60');
  });

  it('is refused for now while the workspace has no room', async () => {
    const tight = await startApi(workspace.database, { policy: { bytesPerWorkspace: 10 } });
    onTestFinished(() => tight.close());
    const answer = await handIn(mail(), mailHeaders(), inbox.uuid, tight);
    expect(answer).toMatchObject({ status: 503, body: { code: 'no_room_for_mail' } });
  });

  it('is refused for now while the storage cannot be used, and given back', async () => {
    const { storage, remove } = scratchStorage();
    onTestFinished(remove);
    const broken = new Proxy(storage, {
      get(target, name) {
        if (name === 'put') return () => Promise.reject(new StorageBusy('timeout'));
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const own = await startApi(workspace.database, { storage: broken });
    onTestFinished(() => own.close());
    expect(await handIn(mail(), mailHeaders(), inbox.uuid, own)).toMatchObject({ status: 503 });
    expect(await stored()).toEqual([]);
    expect((await rows('stored_objects')).at(-1)).toMatchObject({ state: 'doomed' });
  });

  it('is refused after so many mails in a minute', async () => {
    const none = { credential: 0, account: 0, workspace: 0, address: 0, refusals: 0 };
    const limits = new RateLimits(none);
    for (let count = 0; count < mailsOfInbox; count += 1) checkQuotas(await limits.takeInbox(inbox.uuid));
    const beyond = await limits.takeInbox(inbox.uuid);
    expect(() => checkQuotas(beyond)).toThrow(TooManyRequests);
  });

  it('is refused after too many wrong secrets of an address', async () => {
    const own = await startApi(workspace.database, { rateLimits: { refusals: 3 } });
    onTestFinished(() => own.close());
    const wrong = { ...mailHeaders(), 'X-Inbox-Secret': 'wrong' };
    const statuses = [];
    for (let count = 0; count < 4; count += 1)
      statuses.push((await handIn(mail(), wrong, inbox.uuid, own)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
  });
});
