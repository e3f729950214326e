import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DemoError } from './demo/api-client.js';
import { runSmsDemo } from './demo/run-sms-demo.js';
import { runWebChatDemo } from './demo/run-web-chat-demo.js';
import { readDevFile } from './launcher/dev-file.js';
import { readLocalSettings } from './launcher/local-settings.js';

/** The root of the checkout, relative to the compiled file in `dist/tools/dev`. */
const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));

const demos = new Map([
  ['sms', runSmsDemo],
  ['web-chat', runWebChatDemo],
]);

/** `npm run demo`: takes one member through the clinic's intake on the running system. */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { channel: { type: 'string', default: 'sms' } } });
  const runDemo = demos.get(values.channel);
  if (runDemo === undefined) throw new DemoError(`--channel must be one of ${[...demos.keys()].join(', ')}.`);
  const { dataFolder } = readLocalSettings(process.env, projectFolder);
  const dev = readDevFile(dataFolder);
  if (dev === undefined) throw new DemoError('The system is not running. Start it with npm start.');
  return (await runDemo(dev)) === 'completed' ? 0 : 1;
}

/** The message to print. `fetch` throws a `TypeError` when the system is not running. */
function sentenceOf(error: unknown): unknown {
  if (error instanceof DemoError) return error.message;
  return error instanceof TypeError ? 'The system is not reachable. Start it with npm start.' : error;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(sentenceOf(error));
  process.exitCode = 1;
}
