import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { notReached, Signal, WidgetTests, whereThePageIsGone } from './support/widget.js';

const widget = new WidgetTests();
const dialog = () => widget.dialog();
const log = () => widget.log();
/** A day, or who has taken over or given back. */
const line = (text: string) => log().locator('.line:visible').getByText(text, { exact: true });
const says = (text: string) => dialog().getByText(text, { exact: false });

/** More than the log has room for. */
async function fillLog(chatId: number): Promise<void> {
  for (let line = 0; line < 12; line++) await widget.store(chatId, { text: `Line ${line}`, author: 'agent' });
  await log().getByText('Line 11', { exact: true }).waitFor();
}

const keepUnsent = () =>
  widget.page.route('**/chat/messages', (route) =>
    (route.request().method() === 'POST' ? route.abort() : route.continue()).catch(whereThePageIsGone),
  );

/** A red picture. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from([200, 40, 40]))]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('the end of the log', () => {
  it('stays in view whatever opens below it', async () => {
    await widget.begin();
    const { id } = await widget.chatRow();
    await fillLog(id);
    await widget.answerAsColleague(id, 'Good morning, what can I do for you?');
    await widget.say('I would like an appointment on Friday');
    await says('A person of the team will answer here.').waitFor();
    await expect.poll(() => widget.belowTheFold()).toBeLessThanOrEqual(1);
    const file = { name: 'letter.docx', mimeType: 'application/x', buffer: Buffer.from('x') };
    await dialog().locator('input[type=file]').setInputFiles(file);
    await says('letter.docx is of a kind').waitFor();
    await expect.poll(() => widget.belowTheFold()).toBeLessThanOrEqual(1);
    expect(await widget.look('waiting')).toEqual([]);
  });

  it('does not pull a visitor down who reads above, and is one click away', async () => {
    await widget.begin();
    const { id } = await widget.chatRow();
    await fillLog(id);
    await log().hover();
    await widget.page.mouse.wheel(0, -300);
    const toEnd = dialog().getByRole('button', { name: 'To the newest message' });
    await toEnd.waitFor();
    await widget.store(id, { text: 'Said meanwhile' });
    await log().getByText('Said meanwhile').waitFor();
    expect(await widget.belowTheFold()).toBeGreaterThan(50);
    await toEnd.press('Enter');
    await toEnd.waitFor({ state: 'hidden' });
    await expect.poll(() => widget.belowTheFold()).toBeLessThanOrEqual(1);
    expect(await widget.focused()).toBe('Messages');
  });
});

describe('what is not sent yet', () => {
  it('is sent in its order and once, by the next page as well', async () => {
    await widget.begin();
    const { id } = await widget.chatRow();
    widget.provoked = notReached;
    await keepUnsent();
    for (const text of ['First', 'Second']) {
      await widget.input().fill(text);
      await widget.input().press('Enter');
    }
    await says('Not sent yet.').first().waitFor();
    await widget.input().pressSequentially('A draft');
    await widget.page.unroute('**/chat/messages');
    await widget.page.reload();
    await log().locator('.own:not(.unsent)').getByText('Second').waitFor();
    expect(await widget.input().inputValue()).toBe('A draft');
    const { body } = await widget.asAdmin('GET', `/chats/${id}/messages?limit=100`);
    const sent = body.filter(({ role }: { role: string }) => role === 'user');
    expect(sent.map(({ content }: { content: string }) => content)).toEqual(['Second', 'First', 'Hello']);
    expect(await log().locator('.own').count()).toBe(3);
  });

  it('is sent again by itself while the browser thinks that it is online', async () => {
    await widget.begin();
    widget.provoked = notReached;
    await keepUnsent();
    await widget.input().fill('Are you there?');
    await widget.input().press('Enter');
    await says('No connection.').waitFor();
    await widget.page.unroute('**/chat/messages');
    await log().locator('.own:not(.unsent)').getByText('Are you there?').waitFor();
    await says('No connection.').waitFor({ state: 'hidden' });
  });

  it('is forgotten with the chat, and after a day', async () => {
    await widget.begin();
    widget.provoked = notReached;
    await keepUnsent();
    await widget.input().fill('Nobody is to see this');
    await widget.input().press('Enter');
    await says('Not sent yet.').waitFor();
    await widget.input().pressSequentially('nor this');
    await widget.choose('End and forget this chat');
    await dialog().getByRole('button', { name: 'End it' }).press('Enter');
    await log().getByText('Nobody is to see this').waitFor({ state: 'detached' });
    expect(await widget.page.evaluate('[localStorage.length, sessionStorage.length]')).toEqual([0, 1]);
    expect(await widget.input().inputValue()).toBe('');

    const old = { id: 'x', text: 'Of the day before', at: Date.now() - 86_400_001, files: 0 };
    const place = JSON.stringify(`wes-chat:${widget.site.uuid}:unsent:x`);
    await widget.page.evaluate(`localStorage.setItem(${place}, ${JSON.stringify(JSON.stringify(old))})`);
    await widget.page.reload();
    await log().getByText('How can we help you?').waitFor();
    expect(await log().getByText('Of the day before').count()).toBe(0);
    expect(await widget.page.evaluate('localStorage.length')).toBe(0);
  });

  it('says for what it will not be sent, and stays until it is sent again', async () => {
    await widget.launcher().click();
    const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from([0x50, 0x4b, 3, 4, 0]) };
    await dialog().locator('input[type=file]').setInputFiles(file);
    widget.provoked = /4\d\d/;
    await dialog().getByRole('button', { name: 'Send' }).click();
    await says('Not sent.').waitFor();
    await says('notes.txt').nth(1).waitFor();
    expect(await widget.look('refused')).toEqual([]);
  });
});

describe('a visitor who comes back', () => {
  it('is told that its chat is being loaded, and sees at once what the tab has kept', async () => {
    await widget.begin('My question');
    const mayBeShown = new Signal();
    await widget.context.route('**/chat/messages?*', async (route) => {
      await mayBeShown.given;
      await route.continue().catch(whereThePageIsGone);
    });
    await widget.page.reload();
    await says('Your chat is being loaded').waitFor();
    expect(await log().getByText('My question').isVisible()).toBe(true);
    expect(await log().getByText('How can we help you?').isVisible()).toBe(false);
    expect(await widget.look('loading')).toEqual([]);

    const tab = await widget.open();
    await widget.launcher(tab).click();
    await widget.dialog(tab).getByText('Your chat is being loaded', { exact: false }).waitFor();
    expect(await widget.log(tab).getByText('How can we help you?').isVisible()).toBe(false);
    mayBeShown.give();
    for (const one of [widget.page, tab]) {
      await widget
        .dialog(one)
        .getByText('Your chat is being loaded', { exact: false })
        .waitFor({ state: 'hidden' });
      await widget.log(one).getByText('My question').waitFor();
      await widget.log(one).getByText('How can we help you?').waitFor();
    }
  });

  it('gets its chat when reading it has failed at first', async () => {
    await widget.begin('My question');
    widget.provoked = notReached;
    let failures = 0;
    await widget.page.route('**/chat/messages?*', (route) =>
      (failures++ === 0 ? route.abort() : route.continue()).catch(whereThePageIsGone),
    );
    await widget.page.reload();
    await expect.poll(() => failures).toBe(2);
    await says('Your chat is being loaded').waitFor({ state: 'hidden' });
    await log().getByText('My question').waitFor();
  });
});

describe('who says what, and when', () => {
  it('tells person and machine apart, names the person where the site does, and says who takes over', async () => {
    widget.site = await widget.addSite({ chatGreeting: 'How can we help you?', chatShowsNames: true });
    const { memberId } = widget.workspace.admin;
    await widget.asAdmin('PUT', `/members/${memberId}`, { name: 'Dana Smith' });
    await widget.page.reload();
    await widget.begin();
    const { id } = await widget.chatRow();
    await widget.answerAsColleague(
      id,
      'Hello, this is **Dana**.\n\n- https://clinic.example/hours\n- by phone',
    );
    await line('Dana Smith has taken over.').waitFor();
    await log().getByText('Dana Smith, of the team').waitFor();
    // The words of a colleague are rendered as those of the agent.
    await log().getByRole('link', { name: 'https://clinic.example/hours' }).waitFor();
    expect(await log().getByRole('listitem').count()).toBe(2);
    await widget.say('On Friday, please.');
    await widget.asAdmin('PUT', `/chats/${id}`, { paused: false });
    await line('The assistant answers again.').waitFor();
    expect(await log().getByText('Assistant (automatic)').first().isVisible()).toBe(true);
    expect(await line('Today').count()).toBe(1);
    const times = await log().locator('time:visible').allInnerTexts();
    expect(times.length).toBeGreaterThanOrEqual(3);
    expect(times[0]).toMatch(/^\d\d:\d\d( [AP]M)?$/);
    expect(await widget.look('people')).toEqual([]);

    await widget.page.reload();
    await line('Dana Smith has taken over.').waitFor();
    await line('The assistant answers again.').waitFor();
  });

  it('names nobody where the site does not, and shows the days', async () => {
    await widget.begin();
    const { id } = await widget.chatRow();
    const day = 86_400_000;
    const [{ created_at: first }] = await widget.system.database.readInWorkspace(
      widget.workspace.workspaceId,
      (tx) => tx('messages').where({ chat_id: id }).orderBy('id').limit(1).select('created_at'),
    );
    await widget.system.database.inWorkspace(widget.workspace.workspaceId, (tx) =>
      tx('messages')
        .where({ chat_id: id })
        .update({ created_at: new Date(first.getTime() - day) }),
    );
    await widget.answerAsColleague(id, 'Good morning');
    await widget.page.reload();
    await log().getByText('A person of the team', { exact: true }).waitFor();
    await line('A person of the team has taken over.').waitFor();
    await line('Yesterday').waitFor();
    await line('Today').waitFor();
  });
});

describe('the page beside the chat', () => {
  it('can be used, keeps the focus after a reload, and is covered only where there is no room', async () => {
    const link = widget.page.getByRole('link', { name: 'the page' });
    await widget.begin();
    await link.click();
    expect(widget.page.url()).toMatch(/#x$/);
    expect(await dialog().isVisible()).toBe(true);
    await widget.page.reload();
    await dialog().waitFor();
    expect(await widget.focused()).not.toBe('text');
    await widget.page.keyboard.press('Tab');
    expect(await widget.focused()).toBe('the page');

    await widget.input().focus();
    await widget.page.setViewportSize({ width: 390, height: 700 });
    const isModal = `document.querySelector('[id^=wes-chat]').shadowRoot.querySelector('dialog').matches(':modal')`;
    await expect.poll(() => widget.page.evaluate(isModal)).toBe(true);
    expect(await widget.focused()).toBe('text');
    await widget.page.setViewportSize({ width: 900, height: 700 });
    await expect.poll(() => widget.page.evaluate(isModal)).toBe(false);
    await widget.page.setViewportSize({ width: 390, height: 700 });
    await widget.page.reload();
    await widget.launcher().waitFor();
    expect(await dialog().isVisible()).toBe(false);
    await widget.launcher().click();
    await widget.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    expect(await widget.focused()).toMatch(/^Chat/);
  });

  it('shows how much is new while the chat is closed, in its title as well', async () => {
    await widget.begin();
    const { id } = await widget.chatRow();
    await widget.page.keyboard.press('Escape');
    await widget.store(id, { text: 'One' });
    await widget.store(id, { text: 'Two' });
    await widget.page.getByRole('button', { name: 'Chat New messages: 2' }).waitFor();
    expect(await widget.page.title()).toBe('(2) Host');
    expect(await widget.look('news')).toEqual([]);
    await widget.launcher().click();
    expect(await widget.page.title()).toBe('Host');
  });
});

describe('files', () => {
  it('begin a chat, and are seen as pictures and saved by a click', async () => {
    await widget.launcher().click();
    const picture = { name: 'wound.png', mimeType: 'image/png', buffer: png(400, 300) };
    const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('No medicines.') };
    await dialog().locator('input[type=file]').setInputFiles([picture, notes]);
    await dialog().getByRole('button', { name: 'Send' }).click();
    await log().locator('.own:not(.unsent) canvas').waitFor();
    expect(await widget.look('files')).toEqual([]);

    await widget.page.evaluate('sessionStorage.clear()');
    await widget.page.reload();
    await widget.launcher().click();
    await log().locator('.own canvas').waitFor();
    const colour = await widget.page.evaluate(`(() => {
      const canvas = document.querySelector('[id^=wes-chat]').shadowRoot.querySelector('canvas');
      return [...canvas.getContext('2d').getImageData(5, 5, 1, 1).data];
    })()`);
    expect(colour).toEqual([200, 40, 40, 255]);
    const saved = widget.page.waitForEvent('download');
    await log().getByRole('button', { name: 'Save notes.txt' }).click();
    expect((await saved).suggestedFilename()).toBe('notes.txt');
  });
});

describe('the menu', () => {
  it('has what is seldom needed, and is used by keyboard', async () => {
    await widget.begin();
    await dialog().getByRole('button', { name: 'More' }).press('Enter');
    expect(await widget.focused()).toBe('Rate this chat');
    expect(await widget.look('menu')).toEqual([]);
    await widget.page.keyboard.press('Escape');
    expect(await widget.focused()).toBe('More');
    expect(await dialog().isVisible()).toBe(true);
    await widget.choose('End and forget this chat');
    await dialog().getByRole('button', { name: 'Keep it' }).press('Enter');
    expect(await widget.focused()).toBe('More');
    await widget.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
  });

  it('is not needed to choose an answer, which are buttons', async () => {
    await widget.begin();
    const { id } = await widget.chatRow();
    await fillLog(id);
    const { workspaceId } = widget.workspace;
    await widget.system.database.inWorkspace(workspaceId, (tx) =>
      tx('messages').insert({
        ...{ workspace_id: workspaceId, chat_id: id, role: 'assistant', author: 'agent', content: '"When?"' },
        suggestions: JSON.stringify(['On Friday', 'Next week']),
      }),
    );
    await dialog().getByRole('button', { name: 'On Friday' }).waitFor();
    expect(await widget.look('choices')).toEqual([]);
    await dialog().getByRole('button', { name: 'On Friday' }).press('Enter');
    await log().locator('.own:not(.unsent)').getByText('On Friday').waitFor();
    expect(await widget.focused()).toBe('text');
  });
});

describe('a page in German', () => {
  it('is greeted in German, and the agent knows it', async () => {
    const german = await widget.serve('de-AT');
    const origins = [widget.host.origin, german.origin];
    expect((await widget.asAdmin('PUT', '', { allowedOrigins: origins })).status).toBe(200);
    widget.site = await widget.addSite({
      chatGreeting: 'How can we help you?',
      chatGreetingTranslations: { de: 'Wie können wir Ihnen helfen?' },
    });
    widget.page = await widget.open(german.origin);
    await widget.launcher().click();
    await log().getByText('Wie können wir Ihnen helfen?').waitFor();
    await log().getByText('Assistent (automatisch)').first().waitFor();
    await widget.say('Haben Sie am Samstag offen?');
    await line('Heute').waitFor();
    expect(await widget.look('german')).toEqual([]);
    const { participants } = await widget.chatRow();
    const { memberId } = participants.find(({ role }: { role: string }) => role === 'user');
    expect((await widget.asAdmin('GET', `/members/${memberId}`)).body.locale).toBe('de-AT');
    await german.close();
  });
});
