/**
 * Renews the pictures of docs/images: `npm run screenshots`, beside a running `npm start` with simulators. It makes some
 * runs in the demo workspace and takes pictures of the clinic's page, the console and the Temporal UI with the Chromium of
 * this machine.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { demo } from '../../api/http/demo.js';
import { type DevFile, readDevFile } from '../dev/launcher/dev-file.js';
import { readLocalSettings } from '../dev/launcher/local-settings.js';
import { startChromium } from './chromium.js';
import { showEditor, showInbox } from './console.js';
import { playHandOver } from './hand-over.js';
import { createFixtureRuns, type Stage } from './screenshot-fixtures.js';
import { linkOf } from './views.js';

const projectFolder = fileURLToPath(new URL('../..', import.meta.url));
const imagesFolder = join(projectFolder, 'docs/images');
const maxBytes = 150_000;

/** Settings of the UI, as docs/alarms.md advises them: it keeps them in the browser. */
const settings = {
  'namespace-workflow-table-columns': {
    default: ['Status', 'Stands', 'Summary', 'Type', 'Start', 'End'].map((label) => ({ label })),
  },
  eventView: 'compact',
  eventFilterSort: 'ascending',
};

interface Picture {
  name: string;
  url: string;
  height: number;
  /** A part of the page; absent: what the window shows. */
  part?: string;
  /** Prepares the page, and resolves when there is something to see. */
  ready(page: Page): Promise<void>;
}

function picturesOf(dev: DevFile, ui: string, { waiting, cancelled, failingWebhook }: Stage): Picture[] {
  const runOf = (path: string) => `${ui}/namespaces/default/workflows/${path}`;
  const text = (what: string | RegExp) => async (page: Page) => {
    await page.getByText(what).first().waitFor();
  };
  /** The UI shows details in frames, the current ones in the last. */
  const details = (what: RegExp) => async (page: Page) => {
    await page.locator('iframe').last().contentFrame().getByText(what).first().waitFor();
  };
  return [
    {
      name: 'chat-hand-over',
      url: `${dev.baseUrl}/s/${demo.siteUuid}`,
      height: 720,
      ready: (page) => playHandOver(page, dev),
    },
    {
      name: 'console-inbox',
      url: `${dev.baseUrl}/console`,
      height: 640,
      ready: (page) => showInbox(page, dev),
    },
    {
      name: 'console-workflow',
      url: `${dev.baseUrl}/console`,
      height: 720,
      ready: (page) => showEditor(page, dev),
    },
    {
      name: 'runs-list',
      url: linkOf('Work with members', ui),
      height: 620,
      ready: text(/Clinic intake: assignment/),
    },
    {
      name: 'run-events',
      url: `${runOf(waiting)}/history`,
      height: 1_000,
      part: '[data-testid=event-summary-table]',
      ready: text(/Take the next step/),
    },
    {
      name: 'run-details',
      url: `${runOf(waiting)}/user-metadata`,
      height: 560,
      ready: details(/Tasks visited/),
    },
    {
      name: 'run-cancelled',
      url: `${runOf(cancelled)}/user-metadata`,
      height: 560,
      ready: details(/concluded/),
    },
    {
      name: 'webhook-failing',
      url: `${runOf(failingWebhook)}/pending-activities`,
      height: 550,
      ready: text(/Attempt/),
    },
  ];
}

async function take(browser: Browser, { name, url, height, part, ready }: Picture): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height }, colorScheme: 'light' });
  for (const [name, value] of Object.entries(settings)) {
    const stored = JSON.stringify(JSON.stringify(value));
    await page.addInitScript(`localStorage.setItem('${name}', ${stored})`);
  }
  await page.goto(url);
  await ready(page);
  const path = join(imagesFolder, `${name}.png`);
  await (part === undefined ? page : page.locator(part)).screenshot({ path, animations: 'disabled' });
  await page.close();
  const { size } = statSync(path);
  console.log(`${path}: ${size} bytes`);
  if (size > maxBytes) throw new Error(`${name} has more than ${maxBytes} bytes.`);
}

async function main(): Promise<void> {
  const dev = readDevFile(readLocalSettings(process.env, projectFolder).dataFolder);
  if (dev === undefined) throw new Error('The system is not running. Start it with npm start -- --fresh.');
  if (dev.temporalUi === null) throw new Error('The system uses a Temporal server without a known UI.');
  if (dev.carrierSimulator === null) throw new Error('The pictures need the simulated carrier.');
  const stage = await createFixtureRuns(dev);
  mkdirSync(imagesFolder, { recursive: true });
  const browser = await startChromium();
  try {
    for (const picture of picturesOf(dev, dev.temporalUi, stage)) await take(browser, picture);
  } finally {
    await browser.close();
    await stage.end();
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
