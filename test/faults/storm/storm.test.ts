import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { absenceNotice } from './agents.js';
import { storm } from './driver.js';
import type { MessageFact } from './evidence.js';
import { gather } from './gather.js';
import { invariants, violations } from './invariants/index.js';
import { describeLedger } from './ledger.js';
import { describePlan, makePlan, replayCommand } from './plan.js';
import { untilQuiet } from './quiet.js';
import { startTown, type Town } from './town.js';

const seed = Number(process.env.FAULT_SEED ?? 1);
/** Half of what `npm run storm` does, with each kind of operation and of fault all the same. */
const operationCount = Number(process.env.FAULT_OPERATIONS ?? 150);
const replay = replayCommand(seed, operationCount);
const withinMs = 420_000;

let town: Town;

beforeAll(async () => {
  town = await startTown();
});
afterAll(() => town?.stop());

describe(`a storm (${replay})`, { timeout: withinMs }, () => {
  it('violates no invariant: every operation takes effect as requested, once', async () => {
    const plan = makePlan(seed, operationCount);
    say(describePlan(plan));
    const ledger = await storm(town, plan);
    say(describeLedger(ledger));
    const evidence = await gather(town, ledger, await untilQuiet(town));
    say(
      `${invariants.length} invariants over ${evidence.chats.length} chats, ${evidence.messages.length} messages, ` +
        `${evidence.deliveries.length} deliveries, ${evidence.runs.length} runs, ` +
        `${evidence.followUps.length} follow-ups, ${evidence.messages.filter(isNotice).length} automatic replies`,
    );

    const { mailed, received } = evidence;
    say(
      `${mailed.length} emails taken, ${mailed.filter(({ answered }) => !answered).length} without an answer, ` +
        `${mailed.filter(({ reports }) => reports.length > 0).length} reported later; ${received.length} mails received`,
    );

    const found = violations(evidence).map(({ invariant, message }) => `${invariant}: ${message}`);
    if (found.length > 0) {
      const file = join(tmpdir(), `storm-${seed}.json`);
      writeFileSync(file, JSON.stringify({ found, plan, evidence }, null, 1));
      say(`what was found there: ${file}`);
    }
    expect(found, `replay with: ${replay}`).toEqual([]);
  });
});

function isNotice({ text }: MessageFact): boolean {
  return text === absenceNotice;
}

/** Writes past the reporter, which shows the output of tests only beside their failures. */
function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
