import { get } from 'node:http';
import type { Browser } from 'playwright-core';
import { createPage } from '../../../domain/sites/pages/create-page.js';
import { publishPage } from '../../../domain/sites/pages/publish-page.js';
import { median } from '../../../test/support/lib/statistics.js';
import { addSite, oneParagraph } from '../../../test/support/sites/add-site.js';
import { conversationTasks, publishDefinition } from '../../../test/support/workspace/definitions.js';
import { freePort } from '../../dev/provision/ports.js';
import { startChromium } from '../../screenshots/chromium.js';
import type { Figure } from '../figure.js';
import type { Stage } from '../stage/stage.js';

const loads = 5;

/** All that the chat of a page loads: the script of the tag, the modules that it names, and the words of the longest language. */
export const widgetSize: Figure = {
  name: 'widget-size',
  title: 'scripts of the web chat, compressed',
  unit: 'KB',
  target: { atMost: 30 },
  async prepare(stage) {
    const { url } = await startSite(stage);
    return { measured: async () => (await scriptBytes(url)) / 1_024 };
  },
};

/** From the beginning of a navigation until the dialog of the chat is open and takes text, in a browser that has nothing of it. */
export const widgetReady: Figure = {
  name: 'widget-ready',
  title: 'page of a site until the web chat takes text',
  unit: 'ms',
  target: { atMost: 1_000 },
  async prepare(stage) {
    const { url, siteUuid } = await startSite(stage);
    const page = `${url}/s/${siteUuid}/leaflet`;
    return {
      async measured() {
        const browser = await startChromium();
        try {
          const times: number[] = [];
          // The first load is that of a browser and an api that have just started.
          for (let load = 0; load <= loads; load += 1) times.push(await timeOfLoad(browser, page));
          return median(times.slice(1));
        } finally {
          await browser.close();
        }
      },
    };
  },
};

async function startSite(stage: Stage): Promise<{ url: string; siteUuid: string }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { workspace } = stage;
  const { workflowId } = await publishDefinition(workspace, conversationTasks());
  const { id, uuid: siteUuid } = await addSite(workspace, { defaultDefinitionId: workflowId });
  const context = workspace.context();
  const contentBlocks = oneParagraph('Drink enough water.');
  const { page } = await createPage(context, id, { title: 'Leaflet', slug: 'leaflet', contentBlocks });
  await publishPage(context, id, page.id);
  await stage.startApi({ port, env: { PUBLIC_URL: url } });
  return { url, siteUuid };
}

async function scriptBytes(url: string): Promise<number> {
  const tag = `${url}/s/widget/chat.js`;
  const source = await (await fetch(tag)).text();
  const modules = [...source.matchAll(/import '\.\/([^']+)'/g)].map(([, path]) => `${url}/s/widget/${path}`);
  if (modules.length === 0) throw new Error('the script of the tag names no modules');
  const sizes = await Promise.all([tag, ...modules].map(receivedBytes));
  const beside = (modules[0] as string).replace(/[^/]+$/, '');
  const words = await Promise.all(['en', 'de', 'es'].map((one) => receivedBytes(`${beside}${one}.js`)));
  return sizes.reduce((sum, size) => sum + size, Math.max(...words));
}

/** How many bytes a browser receives for an address, as they are compressed: `fetch` decodes them, and does not say. */
function receivedBytes(address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = get(address, { headers: { 'Accept-Encoding': 'gzip, deflate, br' } }, (answer) => {
      let bytes = 0;
      answer.on('data', (part: Buffer) => {
        bytes += part.length;
      });
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(bytes);
        else reject(new Error(`${address} was answered with ${answer.statusCode}`));
      });
    });
    asked.on('error', reject);
  });
}

async function timeOfLoad(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(address, { waitUntil: 'commit' });
    await page.getByRole('button', { name: /^Chat/ }).click();
    await page.getByRole('dialog').getByLabel('Your message').fill('Hello');
    return Number(await page.evaluate('performance.now()'));
  } finally {
    await context.close();
  }
}
