import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { mailsOfInbox, RateLimits } from '../../../../api/http/rate-limits/rate-limits.js';
import { slowestUnproved } from '../../../../api/http/uploads/uploaded-file.js';
import { patchInbox } from '../../../../db/channels/inboxes.js';
import { createInbox } from '../../../../domain/channels/inboxes/create-inbox.js';
import { requireInbox } from '../../../../domain/channels/inboxes/inboxes.js';
import { rotateInboundSecret } from '../../../../domain/channels/inboxes/rotate-inbound-secret.js';
import { maxMailBytes, maxUnread } from '../../../../domain/conversations/emails/accept-email.js';
import { webhookHeaders } from '../../../../domain/events/webhooks/sign-webhook.js';
import { admissionTerms } from '../../../../domain/kernel/admissions.js';
import { TooManyRequests } from '../../../../domain/lib/errors.js';
import { StorageBusy } from '../../../../providers/storage/storage.js';
import { startApi } from '../../../support/api/api.js';
import { useApi } from '../../../support/api/use-api.js';
import { mimeOf } from '../../../support/emails/mime.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { waitFor } from '../../../support/lib/wait-for.js';
import { scratchStorage } from '../../../support/storage/scratch-storage.js';
import { testInboxPolicy, uniqueInboxAddress } from '../../../support/workspace/inboxes.js';

const { workspace, api } = useApi();
const maxOfAddress = admissionTerms.unprovedMails.each.address;

let inbox: { id: number; uuid: string; address: string };
let secret: string;
beforeEach(async () => {
  const context = { ...workspace.context(), encryption: testEncryption, policy: testInboxPolicy };
  const created = await createInbox(context, { address: uniqueInboxAddress(), fromName: 'The Clinic' });
  inbox = created.inbox;
  secret = created.inboundSecret;
});

const rotating = () => ({ ...workspace.context(), encryption: testEncryption });
const mail = (text = 'Hello') => mimeOf({ from: 'ana@example.org', to: inbox.address, text });
const mailHeaders = () => ({ 'Content-Type': 'message/rfc822', 'X-Inbox-Secret': secret });
const handIn = (raw: Buffer, headers: Record<string, string> = mailHeaders(), uuid = inbox.uuid, to = api) =>
  to.request('POST', `/inboxes/${uuid}/inbound`, { raw: new Uint8Array(raw), headers });
const rows = (table: string, condition = {}): Promise<Record<string, unknown>[]> =>
  workspace.within((tx) => tx(table).where(condition).orderBy('id'));
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
    await rotateInboundSecret(rotating(), inbox.id);
    expect((await handIn(mail('One'))).status).toBe(202);
    await workspace.within((tx) =>
      patchInbox(tx, inbox.id, { previousSecretUntil: new Date(Date.now() - 1), updatedAt: new Date() }),
    );
    expect(await handIn(mail('Two'))).toMatchObject(refused);
  });
});

describe('a signature', () => {
  const refused = { status: 401, body: { code: 'inbox_refused' } };
  const now = () => Math.floor(Date.now() / 1_000);
  /** As the webhooks of the service are signed. */
  const signed = (raw: Buffer, { by = secret, at = new Date() } = {}) => {
    const body = raw.toString('utf8');
    const sent = webhookHeaders({ eventUuid: randomUUID(), body, secrets: [by], at });
    return {
      'Content-Type': 'message/rfc822',
      'X-Webhook-Signature': sent['X-Webhook-Signature'] ?? '',
    };
  };
  const handInSigned = (headers: (raw: Buffer) => Record<string, string>, to = api, uuid = inbox.uuid) => {
    const raw = mail();
    return handIn(raw, headers(raw), uuid, to);
  };

  it('of the webhooks of the service is taken instead of the secret', async () => {
    const raw = mail();
    const answer = await handIn(raw, signed(raw));
    expect(answer).toMatchObject({ status: 202, body: { uuid: expect.any(String) } });
    expect(await stored()).toHaveLength(1);
    // Who has read the request and sends it again has sent a copy.
    expect(await handIn(raw, signed(raw))).toMatchObject({ status: 202, body: answer.body });
    expect(await stored()).toHaveLength(1);
  });

  it.each<[string, (raw: Buffer) => Record<string, string>]>([
    ['by another secret', (raw) => signed(raw, { by: `${secret}x` })],
    ['of another body', () => signed(mail('Other'))],
    ['five minutes old', (raw) => signed(raw, { at: new Date((now() - 300) * 1_000) })],
    ['of a time five minutes ahead', (raw) => signed(raw, { at: new Date((now() + 301) * 1_000) })],
    [
      'of another time than it says',
      (raw) => {
        const headers = signed(raw, { at: new Date((now() - 10) * 1_000) });
        const header = headers['X-Webhook-Signature'].replace(/^t=\d+/, `t=${now()}`);
        return { ...headers, 'X-Webhook-Signature': header };
      },
    ],
    ['without a form', (raw) => ({ ...signed(raw), 'X-Webhook-Signature': 'none' })],
    ['empty', (raw) => ({ ...signed(raw), 'X-Webhook-Signature': `t=${now()},v1=` })],
    [
      'with two times',
      (raw) => {
        const headers = signed(raw);
        return { ...headers, 'X-Webhook-Signature': `t=1,${headers['X-Webhook-Signature']}` };
      },
    ],
    ['beside a wrong secret', (raw) => ({ ...signed(raw), 'X-Inbox-Secret': 'wrong' })],
  ])('that is %s is refused, and nothing is kept', async (_how, headers) => {
    const { storage, remove } = scratchStorage();
    onTestFinished(remove);
    const own = await startApi(workspace.database, { storage });
    onTestFinished(() => own.close());
    expect(await handInSigned(headers, own)).toMatchObject(refused);
    expect(await stored()).toEqual([]);
    expect(readdirSync(storage.spoolFolder)).toEqual([]);
  });

  it('for an unknown or another inbox is refused', async () => {
    const context = { ...rotating(), policy: testInboxPolicy };
    const other = await createInbox(context, { address: uniqueInboxAddress(), fromName: 'Other' });
    for (const uuid of [randomUUID(), 'none', other.inbox.uuid]) {
      expect(await handInSigned(signed, api, uuid)).toMatchObject(refused);
    }
  });

  it('may be by the earlier secret for a day after a rotation, or by both', async () => {
    const { inboundSecret } = await rotateInboundSecret(rotating(), inbox.id);
    const raw = mail('Both');
    const at = new Date();
    const body = raw.toString('utf8');
    const both = webhookHeaders({ eventUuid: randomUUID(), body, secrets: [inboundSecret, secret], at });
    const header = both['X-Webhook-Signature'] ?? '';
    expect((await handIn(raw, { ...signed(raw), 'X-Webhook-Signature': header })).status).toBe(202);
    expect((await handInSigned(signed)).status).toBe(202);
    await workspace.within((tx) =>
      patchInbox(tx, inbox.id, { previousSecretUntil: new Date(Date.now() - 1), updatedAt: new Date() }),
    );
    expect(await handInSigned(signed)).toMatchObject(refused);
    expect((await handInSigned((mailed) => signed(mailed, { by: inboundSecret }))).status).toBe(202);
  });

  it('is not taken of an inbox that knows only the hash of its secret, which the release before made', async () => {
    const { inboundSecretHash } = await workspace.within((tx) => requireInbox(tx, inbox.id));
    const patch = (changes: Parameters<typeof patchInbox>[2]) =>
      workspace.within((tx) => patchInbox(tx, inbox.id, changes));
    await patch({ inboundSecret: null, updatedAt: new Date() });
    expect(await handInSigned(signed)).toMatchObject(refused);
    expect((await handIn(mail())).status).toBe(202);

    // That release rotates the hash alone: the secret that is stored is no more valid than its hash.
    const rotated = await rotateInboundSecret(rotating(), inbox.id);
    const left = { previousSecretHash: inboundSecretHash, previousSecretUntil: new Date(0) };
    await patch({ ...left, inboundSecretHash: Buffer.alloc(32), updatedAt: new Date() });
    const late = (raw: Buffer) => signed(raw, { by: rotated.inboundSecret });
    expect(await handInSigned(late)).toMatchObject(refused);
  });

  it('by a secret that the service cannot read any more is a fault of ours, which mail servers wait for', async () => {
    await workspace.within((tx) =>
      patchInbox(tx, inbox.id, { inboundSecret: Buffer.alloc(60), updatedAt: new Date() }),
    );
    expect((await handInSigned(signed)).status).toBe(500);
    expect(await stored()).toEqual([]);
    expect((await handIn(mail())).status).toBe(202);
  });

  it('by the new secret is taken although the earlier one cannot be read, and by others waits', async () => {
    const rotated = await rotateInboundSecret(rotating(), inbox.id);
    await workspace.within((tx) =>
      patchInbox(tx, inbox.id, { previousSecret: Buffer.alloc(60), updatedAt: new Date() }),
    );
    expect((await handInSigned(signed)).status).toBe(500);
    expect((await handInSigned((raw) => signed(raw, { by: rotated.inboundSecret }))).status).toBe(202);
  });

  it('that is wrong counts as a refusal of the address, and so does a body that does not come', async () => {
    const own = await startApi(workspace.database, { rateLimits: { refusals: 2 } });
    onTestFinished(() => own.close());
    const wrong = (raw: Buffer) => signed(raw, { by: 'wrong' });
    const none = await handIn(Buffer.alloc(0), signed(mail()), inbox.uuid, own);
    const statuses = [none.status];
    for (let count = 0; count < 2; count += 1) statuses.push((await handInSigned(wrong, own)).status);
    expect(statuses).toEqual([400, 401, 429]);
  });

  it('leaves room for mail with the secret while bodies come slowly', async () => {
    const { storage, remove } = scratchStorage();
    onTestFinished(remove);
    const own = await startApi(workspace.database, { storage });
    onTestFinished(() => own.close());
    const slow = Array.from({ length: maxOfAddress }, () => begin(own.baseUrl));
    await waitFor('the bodies are received', () => readdirSync(storage.spoolFolder).length === slow.length);
    const beyond = await handInSigned(signed, own);
    expect(beyond).toMatchObject({ status: 429, body: { code: 'too_many_uploads' } });
    expect((await handIn(mail(), mailHeaders(), inbox.uuid, own)).status).toBe(202);
    expect(await Promise.all(slow.map((end) => end()))).toEqual(slow.map(() => 202));
    expect((await handInSigned(signed, own)).status).toBe(202);
  });

  it('is taken of an address that lately had one for the inbox while strangers use up their places', async () => {
    const { storage, remove } = scratchStorage();
    onTestFinished(remove);
    const own = await startApi(workspace.database, { storage });
    onTestFinished(() => own.close());
    const context = { ...rotating(), policy: testInboxPolicy };
    const other = await createInbox(context, { address: uniqueInboxAddress(), fromName: 'Other' });
    const ofOther = (raw: Buffer) => signed(raw, { by: other.inboundSecret });
    expect((await handInSigned(ofOther, own, other.inbox.uuid)).status).toBe(202);
    const slow = Array.from({ length: maxOfAddress }, () => begin(own.baseUrl));
    await waitFor('the bodies are received', () => readdirSync(storage.spoolFolder).length === slow.length);
    expect((await handInSigned(signed, own)).status).toBe(429);
    expect((await handInSigned(ofOther, own, other.inbox.uuid)).status).toBe(202);
    expect(await Promise.all(slow.map((end) => end()))).toEqual(slow.map(() => 202));
  });

  it('of a stranger has to come quickly, and its place is free again', async () => {
    const { patienceMs } = slowestUnproved;
    onTestFinished(() => {
      slowestUnproved.patienceMs = patienceMs;
    });
    slowestUnproved.patienceMs = 300;
    const { storage, remove } = scratchStorage();
    onTestFinished(remove);
    const own = await startApi(workspace.database, { storage });
    onTestFinished(() => own.close());
    const ended = Array.from({ length: maxOfAddress }, () => closed(own.baseUrl));
    expect(await Promise.all(ended)).toEqual(ended.map(() => 'closed'));
    await waitFor('nothing is left', () => readdirSync(storage.spoolFolder).length === 0);
    slowestUnproved.patienceMs = patienceMs;
    expect((await handInSigned(signed, own)).status).toBe(202);
  });

  /** Sends the beginning of a signed mail, and nothing more, until the connection is closed. */
  function closed(baseUrl: string): Promise<string> {
    const raw = mail();
    const headers = { ...signed(raw), 'Content-Length': raw.length };
    const sent = httpRequest(`${baseUrl}/api/v2/inboxes/${inbox.uuid}/inbound`, { method: 'POST', headers });
    sent.write(raw.subarray(0, 100));
    return new Promise((resolve) => {
      sent.once('error', () => resolve('closed'));
      sent.once('response', (answer) => resolve(String(answer.statusCode)));
    });
  }

  /** Sends a signed mail but for its end. @returns sends the end, and resolves to the status of the answer */
  function begin(baseUrl: string): () => Promise<number> {
    const raw = mail(`Slow ${randomUUID()}`);
    const headers = { ...signed(raw), 'Content-Length': raw.length };
    const sent = httpRequest(`${baseUrl}/api/v2/inboxes/${inbox.uuid}/inbound`, { method: 'POST', headers });
    const answered = new Promise<number>((resolve, reject) => {
      sent.once('error', reject);
      sent.once('response', (answer) => answer.resume().once('end', () => resolve(answer.statusCode ?? 0)));
    });
    sent.write(raw.subarray(0, 100));
    return () => {
      sent.end(raw.subarray(100));
      return answered;
    };
  }
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
    const large = Buffer.alloc(maxMailBytes + 1, 'a');
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
    await workspace.within((tx) =>
      tx.raw(
        `insert into inbound_emails (workspace_id, inbox_id, digest, bytes, received_at)
         select ?, ?, decode(md5(n::text), 'hex'), 1, now() from generate_series(1, ?) n`,
        [workspace.workspaceId, inbox.id, maxUnread],
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
    for (let count = 0; count < mailsOfInbox; count += 1) await limits.takeInbox(inbox.uuid);
    await expect(limits.takeInbox(inbox.uuid)).rejects.toThrow(TooManyRequests);
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
