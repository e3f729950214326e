import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DevFile, devFilePath, readDevFile } from '../../tools/dev/launcher/dev-file.js';
import { databaseUrl } from '../../tools/dev/launcher/environments.js';
import { localSecrets } from '../../tools/dev/launcher/local-secrets.js';
import { readLocalSettings } from '../../tools/dev/launcher/local-settings.js';
import { freePort } from '../../tools/dev/provision/ports.js';
import { waitFor } from '../support/lib/wait-for.js';
import { projectFolder } from './markdown.js';

/** The system as `npm start` starts it, on ports and in a data folder of its own. */
export interface StartedSystem {
  dev: DevFile;
  /** Has the `.data` of this system: where the commands of the README are run. */
  folder: string;
  environment: NodeJS.ProcessEnv;
  /** Whether the api answered when its address was saved. */
  answeredWhenSaved: boolean;
  /** As role `wes_app`. */
  databaseUrl: string;
  /** The newest warnings and errors of its processes, which say why a test has failed. */
  warnings(): string;
  /** By Ctrl-C. */
  stop(): Promise<void>;
}

export async function startByNpm(): Promise<StartedSystem> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'wes-readme-'));
  // PostgreSQL may run as another user, who has to get through.
  chmodSync(folder, 0o755);
  const dataFolder = join(folder, '.data');
  const environment: NodeJS.ProcessEnv = { ...(await plainEnvironment()), DATA_FOLDER: dataFolder };

  const npm = spawn('npm', ['start', '--', '--no-demo'], {
    cwd: projectFolder,
    env: environment,
    // A process group of its own, as in a terminal: Ctrl-C reaches npm and what it started.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const output of [npm.stdout, npm.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const hasEnded = () => npm.exitCode !== null || npm.signalCode !== null;
  const end = async (): Promise<void> => {
    if (!hasEnded()) interrupt(npm);
    await waitFor('npm start has ended', hasEnded, 60_000);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  const stop = async (): Promise<void> => {
    await end();
    if (!said.includes('Stopped.')) throw new Error(`Ctrl-C did not stop it: ${said}`);
  };

  const isSaved = () => existsSync(devFilePath(dataFolder));
  await waitFor('the addresses are saved', () => isSaved() || hasEnded(), 160_000).catch(() => undefined);
  const saved = readDevFile(dataFolder);
  const answeredWhenSaved = await fetch(`${saved?.baseUrl}/api/v2/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
  const runs = () => said.includes('The system is running');
  await waitFor('everything runs', () => runs() || hasEnded(), 160_000).catch(() => undefined);
  const dev = readDevFile(dataFolder);
  if (!runs() || hasEnded() || dev === undefined) {
    await end();
    throw new Error(`npm start failed: ${said}`);
  }
  const settings = readLocalSettings(environment, folder);
  return {
    dev,
    folder,
    environment,
    answeredWhenSaved,
    databaseUrl: databaseUrl('wes_app', settings, localSecrets(dataFolder)),
    warnings: () =>
      ['api', 'worker', 'media', 'model'].map((name) => warningsIn(dataFolder, name)).join('\n'),
    stop,
  };
}

/** Nothing but what a shell has, and free ports: no address or credential of whoever runs the tests. */
async function plainEnvironment(): Promise<NodeJS.ProcessEnv> {
  const kept = [
    'PATH',
    'HOME',
    'USER',
    'LANG',
    'TMPDIR',
    'XDG_CACHE_HOME',
    'GOPROXY',
    'GOFLAGS',
    'NODE_COMPILE_CACHE',
  ];
  const environment = Object.fromEntries(kept.map((name) => [name, process.env[name]]));
  const { ports } = readLocalSettings({}, projectFolder);
  for (const { variable } of Object.values(ports)) environment[variable] = String(await freePort());
  return environment;
}

const shownWarnings = 40;

/** Of a log whose lines are JSON; of another one, its last lines. */
function warningsIn(dataFolder: string, name: string): string {
  const lines = readFileSync(join(dataFolder, `logs/${name}.log`), 'utf8')
    .trim()
    .split('\n');
  const kept = lines.filter((line) => !/"level":[123]0,|"No workflows registered/.test(line));
  return [`== ${name}.log`, ...kept.slice(-shownWarnings)].join('\n');
}

function interrupt({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGINT');
}
