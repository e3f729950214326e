import { fileURLToPath } from 'node:url';
import { DemoError } from './demo/api-client.js';
import { type DemoChannel, readDemoOptions, UsageError, usage } from './demo/options.js';
import { runSmsDemo } from './demo/run-sms-demo.js';
import { runWebChatDemo } from './demo/run-web-chat-demo.js';
import { type DevFile, readDevFile } from './launcher/dev-file.js';
import { readLocalSettings } from './launcher/local-settings.js';
import { ProvisioningError } from './provision/provisioning-error.js';

/** The root of the checkout, relative to the compiled file in `dist/tools/dev`. */
const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));

const demos: Record<DemoChannel, (dev: DevFile) => Promise<string>> = {
  sms: runSmsDemo,
  'web-chat': runWebChatDemo,
};

/** `npm run demo`: takes one member through the clinic's intake on the running system. */
async function main(): Promise<number> {
  const options = readDemoOptions(process.argv.slice(2));
  if ('help' in options) {
    console.log(usage);
    return 0;
  }
  const { dataFolder } = readLocalSettings(process.env, projectFolder);
  const dev = readDevFile(dataFolder);
  if (dev === undefined) throw new DemoError('The system is not running. Start it with npm start.');
  return (await demos[options.channel](dev)) === 'completed' ? 0 : 1;
}

/** The message to print. `fetch` throws a `TypeError` with the cause when the system is not running. */
function sentenceOf(error: unknown): unknown {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof DemoError || error instanceof ProvisioningError) return error.message;
  const { code } = Object((error as Error).cause) as { code?: unknown };
  return code === 'ECONNREFUSED' ? 'The system does not answer. Start it with npm start.' : error;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(sentenceOf(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
