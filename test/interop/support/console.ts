import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { startChromium } from '../../../tools/screenshots/chromium.js';
import { loginCodeOf } from '../../support/api/login.js';
import { createSmsWorkspace, type SmsWorkspace } from '../../support/system/sms-workspace.js';
import { type SystemOptions, startSystem, type TestSystem } from '../../support/system/system.js';
import type { TestMember } from '../../support/workspace/factories.js';

/** Kept after the tests, to look at. */
const pictures = '.artifacts/console';
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const sizes = {
  wide: { width: 1_400, height: 900 },
  narrow: { width: 360, height: 740 },
};

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

/** The console in Chromium, before the whole service. */
export class ConsoleTests {
  system!: TestSystem;
  workspace!: SmsWorkspace;
  browser!: Browser;
  readonly #contexts: BrowserContext[] = [];
  /** Sessions of accounts: codes to sign in with are few. */
  readonly #signedIn = new Map<number, State>();
  /** What the pages of a test are to complain of. */
  provoked: RegExp | undefined;
  readonly #complaints: string[] = [];

  constructor(options: SystemOptions = {}) {
    beforeAll(async () => {
      mkdirSync(pictures, { recursive: true });
      [this.system, this.browser] = await Promise.all([startSystem(options), startChromium()]);
      this.workspace = await createSmsWorkspace(this.system);
    });
    afterAll(async () => {
      await this.browser?.close();
      await this.system?.stop();
    });
    afterEach(async () => {
      for (const context of this.#contexts.splice(0)) await context.close();
      expect(this.#complaints.splice(0).filter((one) => !this.provoked?.test(one))).toEqual([]);
      this.provoked = undefined;
    });
  }

  get inbox(): string {
    return `/console/w/${this.workspace.workspaceUuid}/inbox`;
  }

  /** A window of a colleague, who signs in on the way to this path if it is the first. */
  async open(
    { accountId }: Pick<TestMember, 'accountId'>,
    path: string,
    { locale = 'en-GB', keepsPolicy = false }: { locale?: string; keepsPolicy?: boolean } = {},
  ): Promise<Page> {
    const known = this.#signedIn.get(accountId);
    // The policy of the page runs no script of others: axe is allowed in past it.
    const context = await this.browser.newContext({
      bypassCSP: !keepsPolicy,
      viewport: sizes.wide,
      locale,
      ...(known === undefined ? {} : { storageState: known }),
    });
    this.#contexts.push(context);
    const page = await context.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.#complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.#complaints.push(error.message));
    await page.goto(this.system.api.baseUrl + path);
    if (known !== undefined) return page;
    await this.#signIn(page, accountId);
    await page.waitForURL(`**${path}`);
    const { cookies } = await context.storageState();
    this.#signedIn.set(accountId, { cookies, origins: [] });
    return page;
  }

  async #signIn(page: Page, accountId: number): Promise<void> {
    const { api, database } = this.system;
    const account = await database.identity.accounts.findById(accountId);
    await page.getByLabel('Email or phone number').fill(account?.email ?? '');
    await page.getByRole('button', { name: 'Send a code' }).click();
    const uuid = await page.locator('input[name=uuid]').inputValue();
    await page.getByLabel('Code').fill(await loginCodeOf(api, uuid));
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** What axe finds on the page in light and dark, and what is wider than a telephone; keeps pictures. */
  async look(page: Page, name: string): Promise<unknown[]> {
    const found: unknown[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${pictures}/${name}-${colorScheme}.png` });
      await page.addScriptTag({ path: axe });
      const { violations } = (await page.evaluate('axe.run()')) as {
        violations: { id: string; nodes: { html: string }[] }[];
      };
      found.push(...violations.map(({ id, nodes }) => ({ name, colorScheme, id, html: nodes[0]?.html })));
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(sizes.narrow);
    await page.screenshot({ path: `${pictures}/${name}-narrow.png` });
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
      found.push(`${name}: too wide`);
    await page.setViewportSize(sizes.wide);
    return found;
  }
}
