import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { banner } from './launcher/banner.js';
import {
  claimDataFolder,
  emptyDataFolder,
  releaseDataFolder,
  shown,
  stopOrder,
} from './launcher/data-folder.js';
import { devFilePath } from './launcher/dev-file.js';
import { type LocalSettings, readLocalSettings } from './launcher/local-settings.js';
import { asksForHelp, type LauncherOptions, readOptions, usage } from './launcher/options.js';
import { rebuildOnChange } from './launcher/rebuild-on-change.js';
import { type SignInLinks, serveSignInLinks } from './launcher/sign-in-links.js';
import { stopOnSignals } from './launcher/signals.js';
import { startSystem } from './launcher/start-system.js';
import { Supervisor } from './launcher/supervisor.js';
import { ProcessTable } from './provision/processes.js';
import { consoleProgress } from './provision/progress.js';

const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));
const demoScript = fileURLToPath(new URL('./demo.js', import.meta.url));

const print = (sentence: string) => console.error(sentence);

const sources = [
  'activities',
  'api',
  'console',
  'db',
  'domain',
  'media',
  'providers',
  'runtime',
  'workflows',
];

/** `npm start`: runs the whole system on this machine, in the foreground, until Ctrl-C. */
async function launch(settings: LocalSettings, { fresh, demo, watch }: LauncherOptions): Promise<void> {
  const { dataFolder } = settings;
  const processes = new ProcessTable();
  const supervisor = new Supervisor(print);
  let stopWatching = () => {};
  let closeLinks = () => {};
  const stop = async (): Promise<void> => {
    stopWatching();
    closeLinks();
    supervisor.close();
    await processes.stopAll(stopOrder);
    releaseDataFolder(dataFolder);
  };

  await claimDataFolder(dataFolder);
  if (fresh) emptyDataFolder(dataFolder);
  const stopRequested = stopOnSignals({ dataFolder, stop, killAll: () => processes.killAll(), print });
  try {
    const { dev, restart } = await startSystem({
      settings,
      environment: process.env,
      processes,
      supervisor,
      progress: consoleProgress(),
      print,
    });
    let links: SignInLinks | undefined;
    if (dev.mailSimulator !== null) {
      const serving = await serveSignInLinks({ dev, port: settings.ports.signIn.port, print });
      closeLinks = () => void serving.server.close();
      links = serving.links;
    }
    console.log(banner(dev, shown(devFilePath(dataFolder)), links));
    if (watch) {
      stopWatching = rebuildOnChange({
        folders: sources.map((name) => join(projectFolder, name)),
        build: { command: 'npm', args: ['run', '--silent', 'build'], cwd: projectFolder },
        restart,
        print,
      });
    }
  } catch (error) {
    // A stop during the start makes the start fail; the signal handler then ends the process.
    if (stopRequested()) return;
    await stop();
    throw error;
  }
  const shownMark = join(dataFolder, 'demo-shown');
  if (demo && !existsSync(shownMark)) {
    const code = await showDemo();
    writeFileSync(shownMark, '');
    if (stopRequested()) return;
    if (code !== 0) print(`The demo failed with exit code ${code}. Run it again with npm run demo.`);
  }
  console.log(
    'The system is running. Press Ctrl-C to stop it. To see the demo again, run npm run demo in another terminal.',
  );
}

try {
  const args = process.argv.slice(2);
  if (asksForHelp(args)) console.log(usage);
  else await launch(readLocalSettings(process.env, projectFolder), readOptions(args));
} catch (error) {
  print(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

/** Runs the demo against the started system on this terminal. @returns the exit code of the demo */
async function showDemo(): Promise<number> {
  const demo = spawn(process.execPath, ['--enable-source-maps', demoScript], { stdio: 'inherit' });
  const end = () => demo.kill();
  process.once('exit', end);
  const code = await new Promise<number>((resolve, reject) => {
    demo.once('error', reject);
    demo.once('exit', (exitCode) => resolve(exitCode ?? 1));
  });
  process.removeListener('exit', end);
  return code;
}
