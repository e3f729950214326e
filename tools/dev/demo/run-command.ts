import { fileURLToPath } from 'node:url';
import { UsageError } from '../arguments.js';
import { type DevFile, readDevFile } from '../launcher/dev-file.js';
import { readLocalSettings } from '../launcher/local-settings.js';
import { ProvisioningError } from '../provision/provisioning-error.js';
import { DemoError, DemoTimedOut } from './api-client.js';
import { whatRunsWaitFor } from './what-runs-wait-for.js';

/** The root of the checkout, relative to the compiled file in `dist/tools/dev/demo`. */
const projectFolder = fileURLToPath(new URL('../../../..', import.meta.url));

/** Runs a command against the system that `npm start` has started; its result is the exit code. */
export async function runCommand<Options extends object>(command: {
  usage: string;
  /** @throws UsageError */
  readOptions: (args: readonly string[]) => Options | { help: true };
  run: (dev: DevFile, options: Options) => Promise<number>;
}): Promise<void> {
  try {
    const options = command.readOptions(process.argv.slice(2));
    if ('help' in options) console.log(command.usage);
    else process.exitCode = await command.run(readDev(), options);
  } catch (error) {
    console.error(sentenceOf(error, command.usage));
    if (error instanceof DemoTimedOut) console.error((await whatRunsWaitFor(readDev())).join('\n'));
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

function readDev(): DevFile {
  const dev = readDevFile(readLocalSettings(process.env, projectFolder).dataFolder);
  if (dev === undefined) throw new DemoError('The system is not running. Start it with npm start.');
  return dev;
}

/** The message to print. `fetch` throws a `TypeError` with the cause when the system is not running. */
function sentenceOf(error: unknown, usage: string): unknown {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof DemoError || error instanceof ProvisioningError) return error.message;
  const { code } = Object((error as Error).cause) as { code?: unknown };
  return code === 'ECONNREFUSED' ? 'The system does not answer. Start it with npm start.' : error;
}
