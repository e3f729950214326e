import { UsageError } from '../dev/arguments.js';
import { ProvisioningError } from '../dev/provision/provisioning-error.js';
import { checkSuites, readSuite } from './check-files.js';
import { FileError, readWorkflow, walksFilesAt } from './files.js';
import { readPlayOptions, usage } from './options.js';
import { playByHand, sentenceOf } from './play-by-hand.js';
import { startScratchDatabase } from './scratch-database.js';

/** `npm run play`: plays a workflow of a file, or checks files of expected walks. @returns the exit code */
async function main(): Promise<number> {
  const options = readPlayOptions(process.argv.slice(2));
  if ('help' in options) {
    console.log(usage);
    return 0;
  }
  const files = await walksFilesAt(options.path);
  // What cannot be read is said before the database is started.
  const suites = await Promise.all(files.map(readSuite));
  const workflow = files.length === 0 ? await readWorkflow(options.path) : undefined;
  const { db, close } = await startScratchDatabase();
  try {
    if (workflow === undefined) return (await checkSuites(db, suites, console.log)) === 0 ? 0 : 1;
    await playByHand(db, workflow, process.stdin, console.log);
    return 0;
  } finally {
    await close();
  }
}

function messageOf(error: unknown): unknown {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof FileError || error instanceof ProvisioningError) return error.message;
  try {
    return sentenceOf(error);
  } catch {
    return error;
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
