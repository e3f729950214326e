import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storm } from './driver.js';
import type { Evidence } from './evidence.js';
import { gather } from './gather.js';
import { invariants, violations } from './invariants.js';
import { describePlan, makePlan, replayCommand } from './plan.js';
import { type Scene, startScene } from './scene.js';

const plan = makePlan(Number(process.env.FAULT_SEED ?? 1), Number(process.env.FAULT_EVENTS ?? 300));
const replay = replayCommand(plan);
const withinMs = 1_800_000;

let scene: Scene;

beforeAll(async () => {
  scene = await startScene(plan.seed);
});
afterAll(() => scene.stop());

describe(`${plan.events} events for randomly failing receivers (${replay})`, { timeout: withinMs }, () => {
  it('are each delivered at least once, whatever process is killed', async () => {
    say(describePlan(plan));
    const started = performance.now();
    const evidence = await gather(scene, await storm(scene, plan));
    say(`${invariants.length} invariants over ${describeEvidence(evidence)}, in ${secondsSince(started)} s`);

    const found = violations(evidence);
    if (found.length > 0) {
      const file = join(tmpdir(), `webhooks-${plan.seed}.json`);
      writeFileSync(file, JSON.stringify({ found, plan, evidence }, null, 1));
      say(`what was found there: ${file}`);
    }
    expect(found, `replay with: ${replay}`).toEqual([]);
  });
});

function describeEvidence({ events, attempts, received }: Evidence): string {
  const requests = received.reduce((sum, { came }) => sum + came, 0);
  const again = received.filter(({ taken }) => taken > 1).length;
  return `${events.length} events, ${attempts.length} attempts, ${requests} requests, ${again} events taken again`;
}

function secondsSince(started: number): number {
  return Math.round((performance.now() - started) / 1_000);
}

/** Writes past the reporter, which shows the output of tests only beside their failures. */
function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
