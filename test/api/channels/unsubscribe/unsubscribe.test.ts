import { beforeEach, describe, expect, it } from 'vitest';
import { findEmailOptOut, insertEmailOptOut } from '../../../../db/channels/email-opt-outs.js';
import { useApi } from '../../../support/api/use-api.js';
import { type EmailStage, stageEmails } from '../../../support/chats/email-stage.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import { addInbox } from '../../../support/workspace/inboxes.js';

const { api, workspace, otherWorkspace } = useApi();
const clock = new MovedClock();
let stage: EmailStage;
let link: string;
beforeEach(async () => {
  const inbox = await addInbox(workspace, { fromName: 'Tom & <b>Anna</b>' });
  stage = await stageEmails(workspace, clock, { inbox });
  const queued = await stage.say('Are you there?');
  if (typeof queued === 'string') throw new Error(queued);
  link = `/unsubscribe/${queued.email.unsubscribeToken}`;
});

const call = (method: string, path = link, init: RequestInit = {}, of = workspace) =>
  fetch(`${api.baseUrl}/api/v2${of.path(path)}`, { method, ...init });
const optOut = () =>
  workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
    findEmailOptOut(tx, stage.address, clock.now()),
  );

describe('the page of a link', () => {
  it('has a button, shows the sender as text, and changes nothing', async () => {
    const answer = await call('GET');
    const page = await answer.text();

    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(page).toContain('<form method="post" action="?">');
    expect(page).toContain('Tom &amp; &lt;b&gt;Anna&lt;/b&gt;');
    expect(page).not.toContain(stage.address);
    expect(await optOut()).toBeUndefined();
  });

  it.each(['GET', 'POST'])('is 404 for %s with another token, or of another workspace', async (method) => {
    expect((await call(method, `/unsubscribe/${'a'.repeat(26)}`)).status).toBe(404);
    expect((await call(method, link, {}, otherWorkspace)).status).toBe(404);
    expect(await optOut()).toBeUndefined();
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
    await workspace.database.inWorkspace(workspace.workspaceId, (tx) => insertEmailOptOut(tx, reported));
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
