import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startChromium } from '../../../tools/screenshots/chromium.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { type HostPage, serveHostPage } from '../../support/sites/host-page.js';
import { addChatSite, type ChatSite } from '../../support/sites/site-chat.js';
import { createSmsWorkspace, type SmsWorkspace } from '../../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../../support/system/system.js';

/** Kept after the tests, to look at. */
const pictures = '.artifacts/widget';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const wide = { width: 900, height: 800 };
const narrow = { width: 390, height: 700 };
/** How people see the chat. */
const eyes = [
  { name: 'light', viewport: wide, media: { colorScheme: 'light', forcedColors: 'none' } },
  { name: 'dark', viewport: wide, media: { colorScheme: 'dark', forcedColors: 'none' } },
  { name: 'narrow', viewport: narrow, media: { colorScheme: 'light', forcedColors: 'none' } },
  { name: 'forced', viewport: wide, media: { colorScheme: 'dark', forcedColors: 'active' } },
] as const;

/** Complaints of the console about requests that fail, and about those that are refused. */
export const notReached = /Failed to load resource: net::ERR_|Failed to fetch|blocked by CORS policy/;
export const refused = /Failed to load resource: the server responded with a status of 4\d\d/;
export const refusedOrNotReached = new RegExp(`${refused.source}|${notReached.source}`);
export const whereThePageIsGone = () => undefined;

export class Signal {
  give = () => {};
  readonly given = new Promise<void>((resolve) => {
    this.give = resolve;
  });
}

/** The chat of a new site on a page of others in Chromium, for each test of the file. */
export class WidgetTests {
  system!: TestSystem;
  workspace!: SmsWorkspace;
  browser!: Browser;
  host!: HostPage;
  site!: ChatSite;
  context!: BrowserContext;
  page!: Page;
  /** What the pages of a test are to complain of. A complaint comes after what it is about, when the browser likes. */
  provoked: RegExp | undefined;
  readonly #complaints: string[] = [];

  constructor() {
    beforeAll(async () => {
      mkdirSync(pictures, { recursive: true });
      [this.system, this.browser] = await Promise.all([startSystem(), startChromium()]);
      this.workspace = await createSmsWorkspace(this.system);
      this.host = await this.serve();
      const allowed = await this.asAdmin('PUT', '', { allowedOrigins: [this.host.origin] });
      expect(allowed.status).toBe(200);
    });
    afterAll(async () => {
      await this.browser?.close();
      await this.host?.close();
      await this.system?.stop();
    });
    beforeEach(async () => {
      this.provoked = undefined;
      await this.system.model.unscript();
      await this.system.model.turn({ tokenDelayMs: 0 });
      this.site = await this.addSite({ chatGreeting: 'How can we help you?' });
      this.context = await this.browser.newContext({ viewport: wide });
      this.page = await this.open();
    });
    afterEach(async () => {
      await this.context.close();
      expect(this.#complaints.splice(0).filter((one) => !this.provoked?.test(one))).toEqual([]);
    });
  }

  /** A page of others. */
  serve(language?: string): Promise<HostPage> {
    return serveHostPage(
      () => ({
        siteUuid: this.site.uuid,
        workspaceUuid: this.workspace.workspaceUuid,
        publicUrl: this.system.api.baseUrl,
      }),
      language,
    );
  }

  addSite(values: object): Promise<ChatSite> {
    return addChatSite(this.system.api, this.workspace, values);
  }

  asAdmin(method: string, path: string, body?: object) {
    const { system, workspace } = this;
    return system.api.request(method, workspace.path(path), { apiKey: workspace.admin.apiKey, body });
  }

  async open(origin = this.host.origin): Promise<Page> {
    const opened = await this.context.newPage();
    opened.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.#complaints.push(message.text());
    });
    opened.on('pageerror', (error) => this.#complaints.push(error.message));
    await opened.goto(origin);
    // A page that is left while it asks for the settings of the chat complains.
    await this.launcher(opened).waitFor();
    return opened;
  }

  launcher(on = this.page) {
    return on.getByRole('button', { name: /^Chat/ });
  }

  dialog(on = this.page) {
    return on.getByRole('dialog', { name: /^Chat (with|mit) Site/ });
  }

  input(on = this.page) {
    return this.dialog(on).getByLabel(/^(Your message|Ihre Nachricht)$/);
  }

  log(on = this.page) {
    return this.dialog(on).getByRole('log', { name: /^(Messages|Nachrichten)$/ });
  }

  /** What others have said, the greeting among them. */
  answers(on = this.page) {
    return this.log(on).locator('.message:not(.own):not([aria-hidden])');
  }

  async say(text: string, on = this.page): Promise<void> {
    await this.input(on).fill(text);
    await this.input(on).press('Enter');
    await this.log(on).locator('.own:not(.unsent)').getByText(text, { exact: true }).waitFor();
  }

  /** Says something that is answered. */
  async begin(text = 'Hello'): Promise<void> {
    await this.launcher().click();
    await this.say(text);
    await this.answers().nth(1).waitFor();
  }

  /** Opens the menu of the chat, and chooses. */
  async choose(item: string, on = this.page): Promise<void> {
    await this.dialog(on).getByRole('button', { name: 'More' }).press('Enter');
    await this.dialog(on).getByRole('button', { name: item }).press('Enter');
  }

  async chatRow() {
    const { body } = await this.asAdmin('GET', '/chats');
    return body.items.find((chat: { siteId: number }) => chat.siteId === this.site.id);
  }

  /** A colleague takes the chat over by answering. */
  async answerAsColleague(chatId: number, message: string): Promise<void> {
    const { status } = await this.asAdmin('POST', `/chats/${chatId}/send-assistant-message`, { message });
    expect(status).toBeLessThan(300);
  }

  /** A message of before, or of somebody else. */
  async store(chatId: number, message: { text: string; role?: string; author?: string; at?: Date }) {
    const { text, role = 'assistant', author = 'person', at = new Date() } = message;
    const { workspaceId } = this.workspace;
    await this.system.database.inWorkspace(workspaceId, (tx) =>
      tx('messages').insert({
        workspace_id: workspaceId,
        chat_id: chatId,
        role,
        author,
        content: JSON.stringify(text),
        created_at: at,
      }),
    );
  }

  /** The name, id or text of what has the focus. */
  async focused(): Promise<string> {
    return String(
      await this.page.evaluate(`(() => {
        const inner = document.activeElement.shadowRoot?.activeElement ?? document.activeElement;
        return inner.getAttribute('aria-label') || inner.id || inner.textContent;
      })()`),
    );
  }

  /** How many pixels of the log are below what is seen. */
  async belowTheFold(): Promise<number> {
    const { hidden } = await this.#measure();
    return hidden;
  }

  /** The log follows its end in the frame after a change, which may have come this moment. */
  async #measureAtRest() {
    let measured = await this.#measure();
    const isFollowed = async () => {
      measured = await this.#measure();
      return measured.hidden <= 1;
    };
    await waitFor('the end of the log is in sight', isFollowed, 2_000).catch(() => undefined);
    return measured;
  }

  async #measure(): Promise<{ hidden: number; small: string[]; overflow: number }> {
    return this.page.evaluate(`(() => {
      const root = document.querySelector('[id^=wes-chat]').shadowRoot;
      const log = root.querySelector('.log');
      const targets = [...root.querySelectorAll('button, textarea')].filter((one) => one.checkVisibility());
      const small = targets.filter((one) => {
        const { width, height } = one.getBoundingClientRect();
        const least = one.closest('.meta') === null ? 44 : 24;
        return width < least || height < least;
      });
      return {
        hidden: Math.round(log.scrollHeight - log.clientHeight - log.scrollTop),
        small: small.map((one) => one.getAttribute('aria-label') ?? one.textContent),
        overflow: document.documentElement.scrollWidth - innerWidth,
      };
    })()`);
  }

  /**
   * Keeps pictures of a state, as all eyes see it, and returns what is wrong with it: what axe finds, an end of the log that is out of
   * sight, what is too small to be touched, and what is wider than the page.
   */
  async look(name: string): Promise<unknown[]> {
    const found: unknown[] = [];
    for (const eye of eyes) {
      await this.page.setViewportSize(eye.viewport);
      await this.page.emulateMedia({ ...eye.media, reducedMotion: 'reduce' });
      // What the browser does for another size, it does before the next picture.
      await this.page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
      await this.page.screenshot({ path: `${pictures}/${name}-${eye.name}.png` });
      const { hidden, small, overflow } = await this.#measureAtRest();
      if (hidden > 1 || small.length > 0 || overflow > 0)
        found.push({ name, eye: eye.name, hidden, small, overflow });
      if (eye.media.forcedColors === 'active') continue;
      await this.page.evaluate(axe);
      const { violations } = (await this.page.evaluate('axe.run()')) as {
        violations: { id: string; nodes: { html: string }[] }[];
      };
      found.push(...violations.map(({ id, nodes }) => ({ name, eye: eye.name, id, html: nodes[0]?.html })));
    }
    await this.page.setViewportSize(wide);
    await this.page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', reducedMotion: 'reduce' });
    return found;
  }
}
