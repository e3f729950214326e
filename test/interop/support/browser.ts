import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** Starts the Chromium of the machine, without a window. */
export function startBrowser(): Promise<Browser> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const programs = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  const executablePath = programs.find((program) => existsSync(program));
  if (executablePath === undefined) {
    throw new Error('Chromium is needed (Debian: apt-get install chromium).');
  }
  return chromium.launch({ executablePath, args: flags });
}

/** Chromium as root and in a container, and without requests of its own. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
