import { freePort } from '../../dev/provision/ports.js';
import type { Figure } from '../figure.js';
import type { Stage } from '../stage/stage.js';

/** The time from `npm start` to the first answer, on a data folder that was provisioned before. */
export const firstAnswer: Figure = {
  name: 'first-answer',
  title: 'npm start to the first answer',
  unit: 's',
  target: { atMost: 10 },
  async prepare(stage) {
    await timeStart(stage);
    return { measured: () => timeStart(stage) };
  },
};

/** Starts the system on the stage's folder and stops it again. @returns the seconds until it answered */
async function timeStart({ processes, folder }: Stage): Promise<number> {
  const port = String(await freePort());
  const others = [
    'WORKER_HEALTH',
    'POSTGRES',
    'TEMPORAL',
    'TEMPORAL_UI',
    'CARRIER_SIMULATOR',
    'MODEL_SIMULATOR',
  ];
  const env: NodeJS.ProcessEnv = { ...process.env, DATA_FOLDER: `${folder}/data`, PORT: port };
  for (const name of others) env[`${name}_PORT`] = String(await freePort());
  const startedAt = performance.now();
  const npm = await processes.start({
    name: 'npm start',
    command: 'npm',
    args: ['start', '--', '--no-demo'],
    logFile: `${folder}/npm-start.log`,
    env,
  });
  const url = `http://127.0.0.1:${port}/api/v2/health/ready`;
  const answers = async () => (await fetch(url)).ok;
  const answered = await npm.reaches(answers, { withinMs: 240_000, everyMs: 20 });
  const seconds = (performance.now() - startedAt) / 1_000;
  if (!answered) throw new Error(`npm start did not answer: ${npm.lastLines()}`);
  await npm.stop();
  return seconds;
}
