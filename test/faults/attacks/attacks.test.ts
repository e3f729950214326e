import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../../dev/provision/ports.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { createWorkspace, type TestWorkspace } from '../../support/factories.js';
import { type ServiceProcess, startApiProcess } from '../../support/service-process.js';
import { startSystem, type TestSystem } from '../../support/system.js';
import type { Attack, Scene } from './attack.js';
import { attacks } from './index.js';

/** Requests of another tenant while an attack goes on. */
const requestsOfOthers = 40;

let testDatabase: TestDatabase;
let system: TestSystem;
let api: ServiceProcess;
let attacker: TestWorkspace;
let victim: TestWorkspace;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  system = await startSystem({ testDatabase, worker: false, relay: false });
  attacker = await createWorkspace(testDatabase.database);
  victim = await createWorkspace(testDatabase.database);
  const port = await freePort();
  const options = {
    system,
    testDatabase,
    publicUrl: `http://127.0.0.1:${port}`,
    nodeFlags: documentedFlags(),
  };
  // Within its quotas an attacker may ask as often as it likes: what is looked at here is what a request costs.
  const env = { RATE_LIMIT_CREDENTIAL: '0', RATE_LIMIT_WORKSPACE: '0', RATE_LIMIT_ACCOUNT: '0' };
  api = await startApiProcess({ ...options, env }, port);
}, 120_000);
afterAll(async () => {
  await api?.stop();
  await system?.stop();
  await testDatabase?.drop();
});

/** The flags of node that the api is run with. */
function documentedFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  return scripts.api.split(' ').filter((part: string) => part.startsWith('--'));
}

/** Another tenant asks for something small, again and again. @returns the statuses of its answers */
async function askAsOthers(): Promise<number[]> {
  const statuses: number[] = [];
  for (let request = 0; request < requestsOfOthers; request += 1) {
    const headers = { Authorization: `Bearer ${victim.admin.apiKey}` };
    const answer = await fetch(`${api.url}/api/v2/account`, { headers });
    await answer.arrayBuffer();
    statuses.push(answer.status);
  }
  return statuses;
}

/** Sends requests of an attack for as long as `during` takes. @returns the statuses of their answers */
async function underAttack<T>(attack: Attack, send: () => Promise<Response>, during: () => Promise<T>) {
  const statuses: number[] = [];
  let isOver = false;
  const attackers = Array.from({ length: attack.concurrency }, async () => {
    while (!isOver) {
      const answer = await send();
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
  });
  const result = await during().finally(() => {
    isOver = true;
  });
  await Promise.all(attackers);
  return { result, statuses };
}

it.each(attacks.map((attack) => [attack.name, attack] as const))(
  '%s leave the process alive, and others are answered',
  async (_name, attack) => {
    const scene: Scene = { workspace: attacker, url: api.url };
    const send = await attack.prepare(scene);

    const { result, statuses } = await underAttack(attack, send, askAsOthers);

    expect(api.running(), api.log()).toBe(true);
    expect(result).toEqual(Array.from({ length: requestsOfOthers }, () => 200));
    expect(statuses.length).toBeGreaterThanOrEqual(attack.concurrency);
    expect(statuses.filter((status) => !attack.expected.includes(status))).toEqual([]);
  },
  180_000,
);
