import { parseArgs } from 'node:util';
import { DemoError, runSmsDemo } from './demo/run-sms-demo.js';
import { readDevFile } from './launcher/dev-file.js';
import { readLocalSettings } from './launcher/local-settings.js';
import { projectFolder } from './project-folder.js';

/** `npm run demo`: one member is walked through the clinic's intake, against a running system. */
async function main(): Promise<number> {
  parseArgs({ options: {}, allowPositionals: false });
  const { dataFolder } = readLocalSettings(process.env, projectFolder);
  const dev = readDevFile(dataFolder);
  if (dev === undefined) throw new DemoError('Nothing is running here: npm start first.');
  return (await runSmsDemo(dev)) === 'completed' ? 0 : 1;
}

/** The system was stopped, or was never started: `fetch` says so in a `TypeError`. */
function sentenceOf(error: unknown): unknown {
  if (error instanceof DemoError) return error.message;
  return error instanceof TypeError ? 'The system does not answer: npm start first.' : error;
}

main()
  .then((code) => {
    process.exitCode = code;
  })
  .catch((error: unknown) => {
    console.error(sentenceOf(error));
    process.exitCode = 1;
  });
