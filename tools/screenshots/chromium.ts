import { type Browser, chromium } from 'playwright-core';
import { findOnPath } from '../dev/provision/find-temporal.js';

const programs = ['chromium', 'chromium-browser', 'google-chrome'];

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

/**
 * Starts the Chromium of this machine, or the one that `CHROMIUM` names, without a window. @throws if there is none
 * @param more further flags
 */
export async function startChromium(more: readonly string[] = []): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? programs.flatMap((name) => findOnPath(name) ?? [])[0];
  if (executablePath === undefined) {
    throw new Error(
      `There is no Chromium: none of ${programs.join(', ')} is on PATH. Install one (Debian: apt-get install chromium), or set CHROMIUM to the program.`,
    );
  }
  return chromium.launch({ executablePath, args: [...flags, ...more] });
}
