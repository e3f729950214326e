import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openStream } from '../support/api/event-stream.js';
import { loginCodeOf } from '../support/api/login.js';
import { uniqueEmail } from '../support/workspace/factories.js';
import {
  notReached,
  refused,
  refusedOrNotReached,
  Signal,
  WidgetTests,
  whereThePageIsGone,
} from './support/widget.js';

const widget = new WidgetTests();
const launcher = (on?: Page) => widget.launcher(on);
const dialog = (on?: Page) => widget.dialog(on);
const input = (on?: Page) => widget.input(on);
const log = (on?: Page) => widget.log(on);
const say = (text: string, on?: Page) => widget.say(text, on);
const look = (name: string) => widget.look(name);
const asAdmin = (method: string, path: string, body?: object) => widget.asAdmin(method, path, body);

/** An end of the chat is told to the visitor who writes, unless the stream has found it before: it finds nothing more. */
const keepStreamFromNoticing = () =>
  widget.page.route('**/chat/events', (route) => route.abort().catch(whereThePageIsGone));

const ofColleague = 'A colleague has written meanwhile.';
const writeAsColleague = (chatId: number) => widget.store(chatId, { text: ofColleague });

describe('the chat on a page of others', () => {
  it('is usable at once, by keyboard and with a screen reader', async () => {
    // Nothing else has to come first, whatever the machine; how long that takes is a figure of the bench.
    const asked = (await widget.page.evaluate(
      `performance.getEntriesByType('resource').map(({ name }) => name)`,
    )) as string[];
    const ofService = asked.filter((address) => address.startsWith(widget.system.api.baseUrl));
    expect(ofService.filter((address) => !address.endsWith('.js'))).toEqual([
      `${widget.system.api.baseUrl}/api/v2/s/${widget.workspace.workspaceUuid}/${widget.site.uuid}/chat?locale=en`,
    ]);
    expect(await look('closed')).toEqual([]);

    await launcher().focus();
    await widget.page.keyboard.press('Enter');
    await dialog().waitFor();
    expect(await widget.focused()).toBe('text');
    await log().getByText('How can we help you?').waitFor();
    expect(await look('begin')).toEqual([]);

    const seen = new Set<string>();
    for (let step = 0; step < 12; step++) {
      await widget.page.keyboard.press('Tab');
      seen.add(await widget.focused());
    }
    expect([...seen]).toEqual(expect.arrayContaining(['Close the chat', 'Messages', 'text', 'Send']));

    await widget.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    expect(await widget.focused()).toMatch(/^Chat/);
  });

  it('shows an answer while it is written, and is there again after a reload', async () => {
    await widget.system.model.script([
      { content: 'We are open **on Saturday** from [nine](https://clinic.example/hours) on.' },
    ]);
    await widget.system.model.turn({ tokenDelayMs: 40 });
    await launcher().click();
    await say('When are you open?');
    await dialog().getByText('We are open', { exact: false }).first().waitFor();
    const answer = log().getByRole('link', { name: 'nine' });
    await answer.waitFor();
    expect(await answer.getAttribute('href')).toBe('https://clinic.example/hours');
    expect(await look('answered')).toEqual([]);

    await widget.page.reload();
    await dialog().waitFor();
    await log().getByText('When are you open?').waitFor();
    await log().getByText('on Saturday').waitFor();
  });

  it('runs nothing that anybody has written', async () => {
    const payload =
      '<img src=x onerror="window.ran=1"> <script>window.ran=1</script> [x](javascript:window.ran=1) [y](data:text/html,z)';
    await widget.system.model.script([{ content: payload }]);
    await launcher().click();
    await say(payload);
    await widget.answers().nth(1).waitFor();
    await log().getByText('onerror', { exact: false }).last().waitFor();
    expect(await widget.page.evaluate(`'ran' in window`)).toBe(false);
    expect(await log().locator('img, script, a').count()).toBe(0);
  });

  it('is one chat in two tabs of a browser', async () => {
    const second = await widget.open();
    await launcher().click();
    await launcher(second).click();
    await Promise.all([say('From the first'), say('From the second', second)]);
    for (const tab of [widget.page, second]) {
      await log(tab).getByText('From the first').waitFor();
      await log(tab).getByText('From the second').waitFor();
    }
    const { body } = await asAdmin('GET', '/chats');
    expect(body.items.filter((chat: { siteId: number }) => chat.siteId === widget.site.id)).toHaveLength(1);

    await second.bringToFront();
    await widget.choose('End and forget this chat', second);
    await dialog(second).getByRole('button', { name: 'End it' }).click();
    await log(second).getByText('From the first').waitFor({ state: 'detached' });
    await log().getByText('From the first').waitFor({ state: 'detached' });
    expect(await widget.page.evaluate('localStorage.length')).toBe(0);
  });

  it('goes on after the connection was cut, and sends what was written meanwhile by itself', async () => {
    await launcher().click();
    await say('Hello');
    const { id } = await widget.chatRow();
    widget.provoked = notReached;
    await widget.context.setOffline(true);
    await input().fill('Written without a connection');
    await input().press('Enter');
    await dialog().getByText('Not sent yet.', { exact: false }).waitFor();
    await dialog().getByText('No connection.', { exact: false }).waitFor();
    await writeAsColleague(id);
    expect(await look('offline')).toEqual([]);
    await widget.context.setOffline(false);
    await log().getByText(ofColleague).waitFor();
    await log().locator('.own:not(.unsent)').getByText('Written without a connection').waitFor();
    await dialog().getByText('Not sent yet.', { exact: false }).waitFor({ state: 'hidden' });
    await dialog().getByText('No connection.', { exact: false }).waitFor({ state: 'hidden' });
    const { body } = await asAdmin('GET', `/chats/${id}/messages?limit=100`);
    const sent = body.filter(
      ({ content }: { content: unknown }) => content === 'Written without a connection',
    );
    expect(sent).toHaveLength(1);
  });

  it('shows what was said in its order, although an answer comes before what was read', async () => {
    await launcher().click();
    await say('Hello');
    await widget.answers().nth(1).waitFor();
    const { id } = await widget.chatRow();
    const [read, mayBeShown] = [new Signal(), new Signal()];
    await widget.page.route('**/chat/messages?*', async (route) => {
      const response = await route.fetch();
      read.give();
      await mayBeShown.given;
      await route.fulfill({ response }).catch(whereThePageIsGone);
    });
    await widget.page.reload();
    await read.given;
    await writeAsColleague(id);
    await log().getByText(ofColleague).waitFor();
    mayBeShown.give();
    await log().getByText('Hello', { exact: true }).waitFor();
    const shown = await log().locator('.message[data-id]').allInnerTexts();
    expect(shown).toEqual([
      expect.stringContaining('Hello'),
      expect.stringContaining('Assistant (automatic)'),
      expect.stringContaining(ofColleague),
    ]);
  });

  it('sends files, and says why others are refused', async () => {
    const mayOpen = new Signal();
    await widget.page.route('**/chat/events', (route) =>
      mayOpen.given.then(() => route.continue()).catch(whereThePageIsGone),
    );
    await launcher().click();
    await say('I have a picture.');
    const choose = (name: string, mimeType: string, buffer: Buffer) =>
      dialog().locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
    await choose('letter.docx', 'application/vnd.x', Buffer.from('x'));
    const ofOtherKind = dialog().getByText('letter.docx is of a kind', { exact: false });
    await ofOtherKind.waitFor();
    // The stream opens meanwhile: what the widget says of the connection replaces nothing else.
    mayOpen.give();
    await widget.answers().nth(1).waitFor();
    expect(await ofOtherKind.isVisible()).toBe(true);
    await choose('large.png', 'image/png', Buffer.alloc(6 * 1_048_576));
    await dialog().getByText('large.png is larger than 5 MB.').waitFor();
    await choose('notes.txt', 'text/plain', Buffer.from('No medicines.'));
    await dialog().getByRole('button', { name: 'Remove notes.txt' }).waitFor();
    expect(await look('attached')).toEqual([]);
    await input().fill('Here it is.');
    await dialog().getByRole('button', { name: 'Send' }).click();
    await log().locator('.own:not(.unsent)').getByText('notes.txt').waitFor();
    const { id } = await widget.chatRow();
    const { body } = await asAdmin('GET', `/chats/${id}/messages?limit=100`);
    const stored = body.find(({ content }: { content: unknown }) => content === 'Here it is.');
    expect(stored.files).toMatchObject([{ status: 'stored', filename: 'notes.txt', mimeType: 'text/plain' }]);
  });

  it('asks how it was once it is concluded, and begins another chat', async () => {
    await launcher().click();
    await say('Hello');
    await widget.answers().nth(1).waitFor();
    const { id, assignmentId } = await widget.chatRow();
    const cancelled = await asAdmin('POST', `/assignments/${assignmentId}/cancel`, { reason: 'settled' });
    expect(cancelled.status).toBe(200);
    await dialog().getByText('This chat is done. Was it helpful?').waitFor();
    await dialog().getByRole('button', { name: 'No' }).click();
    await dialog().getByLabel('What was good or bad', { exact: false }).fill('Too short.');
    expect(await look('rating')).toEqual([]);
    await dialog().getByRole('button', { name: 'Send rating' }).click();
    await dialog().getByText('Thank you.').waitFor();
    const { body } = await asAdmin('GET', `/chats/${id}/messages?limit=100`);
    const rated = body.filter(({ userRating }: { userRating?: number }) => userRating !== undefined);
    expect(rated).toMatchObject([{ role: 'assistant', userRating: 0, userRatingComment: 'Too short.' }]);

    await dialog().getByRole('button', { name: 'Start a new chat' }).click();
    await say('Another question');
    await expect
      .poll(async () => {
        const chats = (await asAdmin('GET', '/chats')).body.items;
        return chats.filter((chat: { siteId: number }) => chat.siteId === widget.site.id).length;
      })
      .toBe(2);
    expect(await log().getByText('Hello', { exact: true }).count()).toBe(0);
  });

  it('keeps what was written for a chat that has ended meanwhile', async () => {
    await launcher().click();
    await say('Hello');
    // The stream is open once an answer has come.
    await widget.answers().nth(1).waitFor();
    widget.provoked = refusedOrNotReached;
    await keepStreamFromNoticing();
    await widget.system.database.inWorkspace(widget.workspace.workspaceId, (tx) =>
      tx('identity.site_visitors').where({ site_id: widget.site.id }).update({ ended_at: new Date() }),
    );
    await input().fill('One more question');
    await input().press('Enter');
    await dialog().getByText('The chat has ended.', { exact: false }).waitFor();
    expect(await input().inputValue()).toBe('One more question');
    expect(await log().getByText('Hello', { exact: true }).count()).toBe(0);
    await dialog().getByRole('button', { name: 'Send' }).click();
    await log().locator('.own:not(.unsent)').getByText('One more question').waitFor();
  });

  it('shows that an answer is being written, and tells the team that the visitor writes', async () => {
    await launcher().click();
    await say('Hello');
    await widget.answers().nth(1).waitFor();
    const { id } = await widget.chatRow();
    const team = await openStream(widget.system.api.baseUrl, widget.workspace.path(`/chats/${id}/events`), {
      apiKey: widget.workspace.admin.apiKey,
    });
    await team.seen('where the chat stands', ({ event }) => event === 'chat.snapshot');
    await widget.system.model.script([{ hold: true, content: 'At nine.' }]);
    await input().pressSequentially('When do you open?');
    await team.seen('the visitor typing', ({ event, data }) => event === 'typing' && data.role === 'user');
    await input().press('Enter');
    await dialog().getByText('An answer is being written').waitFor();
    await widget.system.model.held();
    await widget.system.model.release();
    await log().getByText('At nine.').waitFor();
    await dialog().getByText('An answer is being written').waitFor({ state: 'hidden' });
    await team.close();
  });

  it('shows no answer that is being written any more once a colleague has taken the chat', async () => {
    await launcher().click();
    await say('Hello');
    await widget.answers().nth(1).waitFor();
    const { id } = await widget.chatRow();
    await widget.system.model.script([{ hold: true, content: 'At nine.' }]);
    await say('When do you open?');
    const typing = dialog().getByText('An answer is being written');
    await typing.waitFor();
    await widget.system.model.held();

    expect((await asAdmin('PUT', `/chats/${id}`, { paused: true })).status).toBe(200);

    // By itself the line ends only ten seconds after the last notice.
    await typing.waitFor({ state: 'hidden', timeout: 4_000 });
    await widget.system.model.release();
  });

  it('is over when the team erases the visitor while the chat is open', async () => {
    await launcher().click();
    await say('My name is Ana.');
    await widget.answers().nth(1).waitFor();
    const { participants } = await widget.chatRow();
    const { memberId } = participants.find(({ role }: { role: string }) => role === 'user');
    widget.provoked = refusedOrNotReached;
    await keepStreamFromNoticing();
    const erased = await asAdmin('POST', `/members/${memberId}/erase`, { confirm: String(memberId) });
    expect(erased.status).toBeLessThan(300);
    await expect
      .poll(async () => (await asAdmin('GET', `/members/${memberId}/erase`)).body.state)
      .toBe('erased');
    await input().fill('Are you there?');
    await input().press('Enter');
    await dialog().getByText('The chat has ended.', { exact: false }).waitFor();
    expect(await log().getByText('My name is Ana.').count()).toBe(0);
  });

  it('is not there on a page whose origin the workspace does not allow', async () => {
    const foreign = await widget.serve();
    widget.provoked = notReached;
    const failed = widget.page.waitForEvent('requestfailed', (request) =>
      request.url().endsWith('/chat?locale=en'),
    );
    await widget.page.goto(foreign.origin);
    await failed;
    expect(await launcher().count()).toBe(0);
    await foreign.close();
  });
});

describe('a chat with an assistant alone', () => {
  it('is answered, rated, and ended', async () => {
    const body = { defaultWorkflowId: null, defaultAssistantMemberId: widget.workspace.assistantMemberId };
    widget.site = await widget.addSite(body);
    await widget.page.reload();
    await widget.system.model.script([{ content: 'Yes, until noon.' }]);
    await launcher().click();
    await say('Are you open on Saturday?');
    // What is being written is no answer yet that could be rated.
    await log().locator('.message:not([aria-hidden])').getByText('Yes, until noon.').waitFor();
    const { id, assignmentId } = await widget.chatRow();
    expect(assignmentId).toBeNull();

    await widget.choose('Rate this chat');
    await dialog().getByRole('group', { name: 'Was it helpful? (optional)' }).waitFor();
    await dialog().getByRole('button', { name: 'Yes' }).press('Enter');
    await dialog().getByLabel('What was good or bad', { exact: false }).fill('Quick.');
    await dialog().getByRole('button', { name: 'Send rating' }).press('Enter');
    await dialog().getByText('Thank you.').waitFor();
    expect(await widget.focused()).toBe('text');
    await widget.choose('End and forget this chat');
    // What cannot be undone is not what Enter does.
    expect(await widget.focused()).toBe('Keep it');
    expect(await input().isVisible()).toBe(false);
    expect(await look('leaving')).toEqual([]);
    await dialog().getByRole('button', { name: 'End it' }).press('Enter');
    await log().getByText('Yes, until noon.').waitFor({ state: 'detached' });
    await expect
      .poll(async () => (await asAdmin('GET', `/chats/${id}/messages?limit=100`)).body)
      .toContainEqual(expect.objectContaining({ content: expect.stringContaining('The visitor has ended') }));
    const { body: messages } = await asAdmin('GET', `/chats/${id}/messages?limit=100`);
    const rated = messages.filter(({ userRating }: { userRating?: number }) => userRating !== undefined);
    expect(rated).toMatchObject([
      { content: 'Yes, until noon.', userRating: 1, userRatingComment: 'Quick.' },
    ]);
  });
});

describe('signing up in the chat', () => {
  it('is possible on pages of the service, by a click, and takes the chat along', async () => {
    const email = uniqueEmail();
    await widget.system.database.identity.accounts.create({ email, name: 'Ana Ruiz' });
    widget.site = await widget.addSite({ allowSignup: true });
    await widget.page.goto(`${widget.system.api.baseUrl}/s/${widget.site.uuid}/`);
    await launcher().click();
    const join = 'Keep this chat in my account';
    await say('Hello');
    widget.provoked = refused;
    await widget.choose(join);
    await dialog().getByText('You become a member of', { exact: false }).waitFor();
    expect(await look('sign-up')).toEqual([]);
    await dialog().getByRole('button', { name: 'Sign up' }).press('Enter');

    await widget.page.getByLabel('Email or phone number').fill(email);
    await widget.page.getByRole('button', { name: 'Send a code' }).click();
    const uuid = await widget.page.locator('input[name=uuid]').inputValue();
    await widget.page.getByLabel('Code').fill(await loginCodeOf(widget.system.api, uuid));
    await widget.page.getByRole('button', { name: 'Sign in' }).click();

    // It is asked again: coming from somewhere makes nobody a member.
    await dialog().getByText('You become a member of', { exact: false }).waitFor();
    await dialog().getByRole('button', { name: 'Sign up' }).press('Enter');
    await dialog().getByText('You are a member now.', { exact: false }).waitFor();
    expect(await look('signed-up')).toEqual([]);
    const { body: found } = await asAdmin('GET', `/members?search=${encodeURIComponent(email)}`);
    expect(found.items).toMatchObject([{ name: 'Ana Ruiz', email }]);
    await say('Now I am somebody');
    const { body: chats } = await asAdmin('GET', '/chats');
    const own = chats.items.filter((chat: { siteId: number }) => chat.siteId === widget.site.id);
    expect(own).toHaveLength(1);
    expect(own[0].participants).toContainEqual(expect.objectContaining({ memberId: found.items[0].id }));

    await widget.page.reload();
    await log().getByText('Now I am somebody').waitFor();
    await dialog().getByText('being loaded', { exact: false }).waitFor({ state: 'hidden' });
    await dialog().getByRole('button', { name: 'More' }).click();
    expect(await dialog().getByRole('button', { name: join }).count()).toBe(0);
  });

  it('is not offered where nobody can, or on a page of another origin', async () => {
    const closed = await widget.addSite({ allowSignup: false });
    await widget.page.goto(`${widget.system.api.baseUrl}/s/${closed.uuid}/`);
    await launcher().click();
    await say('Hello');
    await dialog().getByRole('button', { name: 'More' }).click();
    expect(await dialog().getByRole('button', { name: 'Keep this chat' }).count()).toBe(0);
    widget.site = await widget.addSite({ allowSignup: true });
    await widget.page.goto(widget.host.origin);
    await launcher().click();
    await say('Hello');
    await dialog().getByRole('button', { name: 'More' }).click();
    expect(await dialog().getByRole('button', { name: 'Keep this chat' }).count()).toBe(0);
  });
});
