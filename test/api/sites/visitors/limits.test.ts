import { describe, expect, it } from 'vitest';
import { useApi } from '../../../support/api/use-api.js';
import { MovedClock, minutes } from '../../../support/lib/moved-clock.js';
import { addChatSite, visit } from '../../../support/sites/site-chat.js';

const clock = new MovedClock();
const { api, database, workspace, asAdmin } = useApi({ clock, trustedProxies: 1 });

let addresses = 0;
const newAddress = () => {
  addresses += 1;
  return { 'X-Forwarded-For': `198.51.100.${addresses}` };
};

describe('what strangers can do on a site', () => {
  it('is bounded for a visitor, who may go on later', async () => {
    const visitor = await visit(api, await addChatSite(api, workspace));
    for (let number = 1; number <= 20; number++) {
      expect((await visitor.write(`Message ${number}`)).status).toBe(201);
    }
    const refused = await visitor.write('One too many');
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await visitor.request('GET', '/chat/messages')).body.messages).toHaveLength(20);
    clock.advance(minutes(6));
    expect((await visitor.write('Later')).status).toBe(201);
  });

  it('is bounded for an address, however many tokens it gets', async () => {
    const site = await addChatSite(api, workspace);
    const headers = newAddress();
    const begin = () => api.request('POST', `${site.path}/visitors`, { headers });
    const answers = await Promise.all(Array.from({ length: 31 }, begin));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    // Others are not kept out by it.
    await visit(api, site, newAddress());
  });

  it('is bounded in chats of an address, of which one message each is enough to cost something', async () => {
    const site = await addChatSite(api, workspace);
    const headers = newAddress();
    const statuses: number[] = [];
    for (let number = 1; number <= 21; number++) {
      statuses.push((await (await visit(api, site, headers)).write('Hello')).status);
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
  });

  it('is bounded for all visitors of a site together, as its team says', async () => {
    const site = await addChatSite(api, workspace, { visitorChatsPerDay: 2 });
    const visitors = await Promise.all([1, 2, 3].map(() => visit(api, site, newAddress())));
    const answers = await Promise.all(visitors.map((visitor) => visitor.write('Hello')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.code).toBe('too_many_visitor_chats');
    // Chats that have begun go on.
    const begun = visitors[answers.findIndex(({ status }) => status === 201)];
    expect((await begun?.write('Still here'))?.status).toBe(201);
    await asAdmin('PUT', `/sites/${site.id}`, { visitorChatsPerDay: 3 });
    const left = visitors[answers.findIndex(({ status }) => status === 429)];
    expect((await left?.write('Again'))?.status).toBe(201);
  });

  it('does not count a message again that is sent again', async () => {
    const visitor = await visit(api, await addChatSite(api, workspace), newAddress());
    const { body } = await visitor.write('Hello');
    for (let number = 1; number <= 25; number++) {
      expect((await visitor.write('Hello', { id: body.id })).status).toBe(201);
    }
  });

  it('leaves no counters behind once nothing is counted by them', async () => {
    const site = await addChatSite(api, workspace);
    await (await visit(api, site, newAddress())).write('Hello');
    const expired = async () => {
      const { rows } = await database.database.inIdentity((tx) =>
        tx.raw('select count(*)::int as count from identity.login_limits where expires_at < ?', [
          clock.now(),
        ]),
      );
      return rows[0].count;
    };
    clock.advance(minutes(25 * 60));
    const before = await expired();
    expect(before).toBeGreaterThan(5);
    await visit(api, site, newAddress());
    expect(await expired()).toBe(Math.max(0, before - 100));
  });

  it('is bounded in files, their size and their kinds', async () => {
    const visitor = await visit(api, await addChatSite(api, workspace), newAddress());
    const upload = (bytes: string | Uint8Array<ArrayBuffer>, name: string) => {
      const form = new FormData();
      form.append('file', new Blob([bytes]), name);
      return visitor.request('POST', '/chat/files', { multipart: form });
    };
    await visitor.write('Hello');
    expect((await upload(new Uint8Array(5 * 1_048_576 + 1), 'large.txt')).status).toBe(413);
    expect((await upload('<svg xmlns="http://www.w3.org/2000/svg"/>', 'picture.png')).status).toBe(415);
    const first = await upload('notes', 'notes.txt');
    expect(first).toMatchObject({ status: 201, body: { filename: 'notes.txt', mimeType: 'text/plain' } });
    const sent = await visitor.write('', { files: [first.body.id] });
    expect(sent.body.files).toEqual([
      { id: first.body.id, filename: 'notes.txt', mimeType: 'text/plain', fileSize: 5 },
    ]);
    const file = (await asAdmin('GET', `/files/${first.body.id}`)).body;
    expect(file).toMatchObject({ access: 'private' });
    const statuses: number[] = [];
    for (let number = 0; number < 10; number++) statuses.push((await upload('more', 'more.txt')).status);
    expect(statuses.at(-1)).toBe(429);
  });

  it('is bounded in files of an address, so that others can still send theirs', async () => {
    const site = await addChatSite(api, workspace);
    const uploads = async (headers: Record<string, string>, count: number) => {
      const visitor = await visit(api, site, headers);
      await visitor.write('Hello');
      const statuses: number[] = [];
      for (let number = 0; number < count; number++) {
        const form = new FormData();
        form.append('file', new Blob(['notes']), 'notes.txt');
        statuses.push((await visitor.request('POST', '/chat/files', { multipart: form })).status);
      }
      return statuses;
    };
    const address = newAddress();
    const statuses: number[] = [];
    for (let visitors = 0; visitors < 5; visitors++) statuses.push(...(await uploads(address, 10)));
    expect(statuses.filter((status) => status === 201)).toHaveLength(40);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect(await uploads(newAddress(), 1)).toEqual([201]);
  });
});
