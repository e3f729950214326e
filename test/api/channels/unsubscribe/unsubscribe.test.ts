import { beforeEach, describe, expect, it } from 'vitest';
import { findEmailOptOut, insertEmailOptOut } from '../../../../db/channels/email-opt-outs.js';
import { forgetOldLinks } from '../../../../domain/conversations/emails/forget-old-emails.js';
import { systemClock } from '../../../../domain/lib/clock.js';
import { useApi } from '../../../support/api/use-api.js';
import { type EmailStage, stageEmails } from '../../../support/chats/email-stage.js';
import { days, MovedClock } from '../../../support/lib/moved-clock.js';
import { addInbox } from '../../../support/workspace/inboxes.js';

const { api, workspace, otherWorkspace } = useApi();
const clock = new MovedClock();
let stage: EmailStage;
let link: string;
let token: string;
beforeEach(async () => {
  const inbox = await addInbox(workspace, { fromName: 'Tom & "Anna"' });
  stage = await stageEmails(workspace, clock, { inbox });
  const queued = await stage.say('Are you there?');
  if (typeof queued === 'string') throw new Error(queued);
  token = queued.email.unsubscribeToken ?? '';
  link = `/unsubscribe/${token}`;
});

const call = (method: string, path = link, init: RequestInit = {}, of = workspace) =>
  fetch(`${api.baseUrl}/api/v2${of.path(path)}`, { method, ...init });
const workspaceRow = async () => {
  const row = await workspace.database.identity.workspaces.findById(workspace.workspaceId);
  if (row === undefined) throw new Error('there is no workspace');
  return row;
};
const optOut = () => workspace.within((tx) => findEmailOptOut(tx, stage.address, clock.now()));

describe('the page of a link', () => {
  it('has a button, shows the sender as text, and changes nothing', async () => {
    const answer = await call('GET');
    const page = await answer.text();

    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(page).toContain('<form method="post" action="?">');
    expect(page).toContain('Tom &amp; &quot;Anna&quot;');
    expect(page).not.toContain(stage.address);
    expect(await optOut()).toBeUndefined();
  });

  it('names the organization and where it is reached by post', async () => {
    const { id, name } = await workspaceRow();
    await workspace.database.identity.workspaces.update(id, { postalAddress: '1 Main Street <Springfield>' });
    const page = await (await call('GET')).text();
    expect(page).toContain(`<p class="service">${name}</p>`);
    expect(page).toContain(`<address>${name}, 1 Main Street &lt;Springfield&gt;</address>`);
    expect(page).toContain('<link rel="stylesheet" href="/pages/styles.css">');
    await workspace.database.identity.workspaces.update(id, { postalAddress: null });
  });

  it('is in the language of the member, else of the browser', async () => {
    const german = { headers: { 'Accept-Language': 'de-AT,de;q=0.9' } };
    const members = (locale: string | null) =>
      workspace.within((tx) => tx('members').where({ email: stage.address }).update({ locale }));
    await members(null);
    expect(await (await call('GET', link, german)).text()).toContain('<html lang="de">');
    await members('es-MX');
    const page = await (await call('GET', link, german)).text();
    expect(page).toContain('<html lang="es">');
    expect(page).toContain('Darse de baja</button>');
  });

  it.each(['GET', 'POST'])('is 404 for %s with another token, or of another workspace', async (method) => {
    expect((await call(method, `/unsubscribe/${'a'.repeat(26)}`)).status).toBe(404);
    expect((await call(method, link, {}, otherWorkspace)).status).toBe(404);
    expect(await optOut()).toBeUndefined();
  });
});

describe('a link that does not work', () => {
  const inBrowser = { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

  it.each(['GET', 'POST'])('answers a person (%s) with other ways to opt out', async (method) => {
    const { name } = await workspaceRow();
    const answer = await call(method, `/unsubscribe/${'a'.repeat(26)}`, inBrowser);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    const page = await answer.text();
    expect(page).toContain('answer any email that you got with the word “unsubscribe”');
    expect(page).toContain('<a href="mailto:');
    expect(page).toContain(`<p class="service">${name}</p>`);
  });

  it.each(['/api/v2/w/none/unsubscribe/abc', '/api/v2/w/none/unsubscribe/', '/api/v2/w//unsubscribe'])(
    'nor one that a mail program has broken: %s',
    async (path) => {
      const answer = await fetch(api.baseUrl + path, inBrowser);
      expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
      expect(await answer.text()).toContain('<h1>This link no longer works</h1>');
    },
  );

  it('answers a program with a problem', async () => {
    const answer = await call('GET', `/unsubscribe/${'a'.repeat(26)}`);
    expect(answer.headers.get('Content-Type')).toBe('application/problem+json');
    expect(await answer.json()).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('a link whose email is deleted', () => {
  const deleteEmail = () =>
    workspace.within((tx) => tx('emails').where({ unsubscribe_token: token }).delete());

  it('shows its page, unsubscribes the address by one click, and subscribes it again', async () => {
    await deleteEmail();
    const page = await (await call('GET')).text();
    expect(page).toContain('Stop emails from Tom &amp; &quot;Anna&quot;');
    expect(await optOut()).toBeUndefined();

    for (const _time of [1, 2]) expect(await (await call('POST')).text()).toContain('You are unsubscribed');
    expect(await optOut()).toBe('link');
    expect(await stage.say('Are you still there?')).toBe('opted_out');

    await call('POST', `${link}?subscribe=true`);
    expect(await optOut()).toBeUndefined();
  });

  it('shows and lifts what was done while the email was there', async () => {
    await call('POST');
    await deleteEmail();
    expect(await (await call('GET')).text()).toContain('You are unsubscribed');

    await call('POST');
    await call('POST', `${link}?subscribe=true`);

    expect(await optOut()).toBeUndefined();
  });

  it('shows what the mail provider reported of the address', async () => {
    await workspace.within((tx) =>
      insertEmailOptOut(tx, { recipient: stage.address, optedOutAt: clock.now(), source: 'complaint' }),
    );
    await deleteEmail();
    expect(await (await call('GET')).text()).toContain('your email provider reported');
  });

  it('is of its workspace only, and keeps no address', async () => {
    await deleteEmail();
    expect((await call('POST', link, {}, otherWorkspace)).status).toBe(404);
    const rows = await workspace.within((tx) => tx('unsubscribe_links').where({ token }));
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(stage.address);
    expect(await optOut()).toBeUndefined();
  });

  it('works for 60 days, and is forgotten then', async () => {
    await deleteEmail();
    const aged = (age: number) =>
      workspace.within(async (tx) => {
        const [{ id: _, ...written }] = await tx('unsubscribe_links').where({ token }).delete('*');
        await tx('unsubscribe_links').insert({ ...written, created_at: new Date(Date.now() - age) });
      });
    const left = () => workspace.within((tx) => tx('unsubscribe_links').where({ token }));
    const forget = () =>
      forgetOldLinks({ db: workspace.database, clock: systemClock }, workspace.workspaceId);
    await aged(days(59));
    await forget();
    expect((await call('GET')).status).toBe(200);

    await aged(days(61));
    expect((await call('POST')).status).toBe(404);
    await forget();
    expect(await left()).toEqual([]);
    expect(await optOut()).toBeUndefined();
  });

  it('stays revoked, with and without the email', async () => {
    await workspace.within((tx) =>
      tx('emails').where({ unsubscribe_token: token }).update({ tokens_revoked_at: new Date() }),
    );
    expect((await call('POST')).status).toBe(404);
    await deleteEmail();
    expect((await call('POST')).status).toBe(404);
  });
});

describe('unsubscribing', () => {
  const form = new FormData();
  form.set('List-Unsubscribe', 'One-Click');

  it.each([
    ['a form', { body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }],
    ['parts, as mail programs do', { body: form }],
    ['no body', {}],
  ])('by one click with %s works, and again', async (_, init) => {
    for (const _time of [1, 2]) {
      const answer = await call('POST', link, init);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('You are unsubscribed');
    }
    expect(await optOut()).toBe('link');
  });

  it('is undone by the button that the page offers then', async () => {
    const page = await (await call('POST')).text();
    expect(page).toContain('action="?subscribe=true"');

    expect(await (await call('POST', `${link}?subscribe=true`)).text()).toContain(
      '<form method="post" action="?">',
    );
    expect(await optOut()).toBeUndefined();
  });

  it.each(['complaint', 'bounce'] as const)('shows that a %s is not lifted by a button', async (source) => {
    const reported = { recipient: stage.address, optedOutAt: clock.now(), source };
    await workspace.within((tx) => insertEmailOptOut(tx, reported));
    const page = await (await call('POST', `${link}?subscribe=true`)).text();
    expect(page).toContain('your email provider reported');
    expect(page).not.toContain('<button');
    expect(await optOut()).toBe(source);
  });

  it('passes over a body up to a bound', async () => {
    const answer = await call('POST', link, { body: 'x'.repeat(100_000) });
    expect(answer.status).toBe(413);
    expect(await optOut()).toBeUndefined();
  });
});
