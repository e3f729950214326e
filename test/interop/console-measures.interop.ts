import { appendFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../support/db/connect.js';
import { createTestDatabase } from '../support/db/database.js';
import { fillTables } from '../support/db/fill-tables.js';
import { ConsoleTests } from './support/console.js';

const database = await createTestDatabase();
afterAll(() => database.drop());
const tests = new ConsoleTests({ testDatabase: database });
const waiting = 10_000;

/**
 * The least of up to three rounds: what else the machine does in one of them is no property of the console.
 * A round that keeps to the bound is the last. What was measured is kept beside the pictures.
 */
async function leastOf(what: string, bound: number, round: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let rounds = 0; rounds < 3 && least > bound; rounds++) least = Math.min(least, await round());
  appendFileSync('.artifacts/console/measures.txt', `${what}: ${Math.round(least)} ms\n`);
  return Math.round(least);
}

const p95 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.POSITIVE_INFINITY;

/** Waits in the page until an expression is true, and returns the time since its navigation began. */
const sinceNavigation = (page: Page, expression: string): Promise<number> =>
  page
    .waitForFunction(`(${expression}) && performance.now()`, undefined, { polling: 'raf' })
    .then((handle) => handle.jsonValue()) as Promise<number>;

beforeAll(async () => {
  const { memberId } = await tests.workspace.addTexter('Robin Sample');
  const { workspaceId } = tests.workspace;
  const superuser = await connect(database.superuserUrl);
  await fillTables(superuser, ['chats', 'chat_participants', 'messages'], async () => {
    const numbers = `generate_series(1, ${waiting}) as i`;
    for (const statement of [
      `insert into chats (id, workspace_id, channel, chat_type, member_id, paused, needs_response, needs_response_reason,
         needs_response_since)
       overriding system value
       select 1000000 + i, ${workspaceId}, 'web-chat', 'simple', ${memberId}, true, true, 'agent_silent',
         now() - i * interval '1 second' from ${numbers}`,
      `insert into chat_participants (workspace_id, chat_id, member_id, role)
       select ${workspaceId}, 1000000 + i, ${memberId}, 'user' from ${numbers}`,
      `insert into messages (workspace_id, chat_id, member_id, role, author, content)
       select ${workspaceId}, 1000000 + i, ${memberId}, 'user', 'member', '"Are you open on Saturday?"' from ${numbers}`,
    ]) {
      await superuser.query(statement);
    }
  });
  await superuser.query('analyze chats, chat_participants, messages');
  await superuser.end();
  // Whoever opens a window first signs in.
  await tests.open(tests.workspace.admin, tests.inbox);
}, 300_000);

it('is usable within a second, with nothing in the cache of the browser', async () => {
  const took = await leastOf('usable after', 1_000, async () => {
    const page = await tests.open(tests.workspace.admin, tests.inbox);
    const shown = await sinceNavigation(page, `document.querySelector('a[data-chat]') !== null`);
    await page.context().close();
    return shown;
  });
  expect(took).toBeLessThanOrEqual(1_000);
});

it('shows a message within 150 ms of its request', async () => {
  const page = await tests.open(tests.workspace.admin, tests.inbox);
  await page.locator('a[data-chat]').first().click();
  await page.getByRole('log').getByText('Are you open').waitFor();
  const chatId = new URL(page.url()).pathname.split('/').at(-1);
  await page.evaluate(`
    seenAt = {};
    new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll('[role=log] article')) {
        const probe = /probe \\S+/.exec(textContent)?.[0];
        if (probe !== undefined) seenAt[probe] ??= Date.now();
      }
    }).observe(document.body, { subtree: true, childList: true });
  `);
  let round = 0;
  const took = await leastOf('a message is shown after, p95', 150, async () => {
    round += 1;
    const waits: number[] = [];
    for (let count = 0; count < 30; count++) {
      const probe = `probe ${round}-${count}`;
      const path = `/chats/${chatId}/messages`;
      const { status } = await tests.workspace.asAdmin('POST', path, { content: probe });
      const answeredAt = Date.now();
      expect(status).toBe(201);
      const seen = await page.waitForFunction(`seenAt['${probe}']`, undefined, { polling: 'raf' });
      waits.push(((await seen.jsonValue()) as number) - answeredAt);
    }
    return p95(waits);
  });
  expect(took).toBeLessThanOrEqual(150);
});

it(`scrolls a queue of ${waiting} chats at 60 frames a second`, async () => {
  const page = await tests.open(tests.workspace.admin, tests.inbox);
  const list = page.locator('a[data-chat]').first();
  await list.hover();
  const took = await leastOf('a frame of scrolling, p95', 20, async () => {
    await page.evaluate(`
      frames = [];
      scrolls = true;
      const frame = (before) => requestAnimationFrame((now) => {
        if (before !== undefined) frames.push(now - before);
        if (scrolls) frame(now);
      });
      frame();
    `);
    for (let turn = 0; turn < 120; turn++) await page.mouse.wheel(0, 400);
    return p95((await page.evaluate('scrolls = false; frames')) as number[]);
  });
  expect(took).toBeLessThan(20);
  await expect.poll(() => page.locator('a[data-chat]').count()).toBeGreaterThan(5);
});

it('asks twice a minute at most while nothing happens, beside its two streams', async () => {
  const page = await tests.open(tests.workspace.admin, tests.inbox);
  await page.locator('a[data-chat]').first().click();
  await page.clock.install();
  const asked: string[] = [];
  let streams = 0;
  page.on('request', (request) => {
    if (request.resourceType() === 'eventsource') streams += 1;
    else if (new URL(request.url()).pathname.startsWith('/api/')) asked.push(request.url());
  });
  await page.reload();
  await page.getByRole('log').getByText('Are you open').waitFor();
  await page.locator('a[data-chat]').first().waitFor();
  await page.clock.runFor(60_000);
  asked.length = 0;
  for (let minute = 0; minute < 5; minute++) await page.clock.runFor(60_000);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.length).toBeLessThanOrEqual(5 * 2);
  expect(streams).toBe(2);
});
