import { describe, expect, it } from 'vitest';
import { answerWhileIndexing } from '../../../tools/bench/answer-while-indexing/figure.js';
import { answerWhileWaking } from '../../../tools/bench/answer-while-waking/figure.js';
import { operations } from '../../../tools/bench/costs/operations.js';
import { dialBesideTexts } from '../../../tools/bench/dial-beside-texts/figure.js';
import { eventCost } from '../../../tools/bench/event-cost/figure.js';
import type { Effort, Figure } from '../../../tools/bench/figure.js';
import { figures } from '../../../tools/bench/figures.js';
import { getMessages } from '../../../tools/bench/http/figures.js';
import { idleCommits, idlePass } from '../../../tools/bench/idle/figure.js';
import { largeSettings, openInstallations } from '../../../tools/bench/large/measure-large.js';
import { questions } from '../../../tools/bench/large/questions.js';
import { callTool, refreshToken } from '../../../tools/bench/mcp/figure.js';
import { measure, runFigure } from '../../../tools/bench/measure.js';
import { mediaFrames } from '../../../tools/bench/media/figure.js';
import { readOptions } from '../../../tools/bench/options.js';
import { reconcilePass } from '../../../tools/bench/reconcile-pass/figure.js';
import { misses, table } from '../../../tools/bench/report.js';
import { searchFiles } from '../../../tools/bench/search-files/figure.js';
import { widgetSize } from '../../../tools/bench/widget/figure.js';
import { UsageError } from '../../../tools/dev/arguments.js';
import { percentile } from '../../support/lib/statistics.js';
import { build, postgresBackend, temporalBackend } from '../../support/run/backend-client.js';
import { TestBackends } from '../../support/run/backends.js';

const amounts = {
  operations: 2,
  assignments: 2,
  activeAssignments: 300,
  records: 2_000,
  pages: 400,
  pdfs: 20,
  wokenRuns: 100,
  streams: 20,
  calls: 4,
  frames: 2_000,
  restSeconds: 1,
  idleWorkspaces: 20,
};
const little: Effort = { rounds: 3, seconds: 1, warmUpRounds: 1, ...amounts };
const backends = { postgres: postgresBackend, temporal: temporalBackend, build };

function figure(target: Figure['target']): Figure {
  const prepare = async () => ({ measured: async () => 1 });
  return { name: 'some', title: 'Something', unit: 'ms', target, prepare };
}

/** Returns these values one by one; the first is for the warm-up. */
function values(...given: number[]): () => Promise<number> {
  let at = 0;
  return async () => given[at++] ?? Number.NaN;
}

describe.concurrent('a bench figure on a stage', { timeout: 300_000 }, () => {
  it('is measured with its prepared backends', async ({ expect }) => {
    const result = await runFigure(backends, getMessages, { ...little, rounds: 1 });
    expect(result.floor).toBeGreaterThan(0);
    expect(result.measured).toBeGreaterThan(0);
    expect(result.ratio).toBeCloseTo(result.measured / Number(result.floor));
    expect(table([result])).toContain('GET messages');
  });

  it('can be a call of a tool, or a refresh of a token, beside the bare libraries', async ({ expect }) => {
    for (const one of [callTool, refreshToken]) {
      const result = await runFigure(backends, one, { ...little, rounds: 1, warmUpRounds: 0 });
      expect(result.ratio).toBeGreaterThan(0);
    }
  });

  it('can be a difference, measured on the database of its stage', async ({ expect }) => {
    const result = await runFigure(backends, eventCost, little);
    expect(result).toMatchObject({ floor: null, ratio: null, measured: expect.any(Number) });
    expect(result.measured).not.toBeNaN();
  });

  it('can be a search among the pages of two workspaces', async ({ expect }) => {
    const result = await runFigure(backends, searchFiles.ratio, { ...little, rounds: 1 });
    expect(result.ratio).toBeGreaterThan(0);
  });

  it('can be a time while the texts of files are read', async ({ expect }) => {
    const result = await runFigure(backends, answerWhileIndexing, { ...little, rounds: 1 });
    expect(result.ratio).toBeGreaterThan(0);
  });

  it('can be a time while runs are woken, or messages are slow', async ({ expect }) => {
    for (const one of [answerWhileWaking, dialBesideTexts]) {
      const result = await runFigure(backends, one, { ...little, rounds: 1, warmUpRounds: 0 });
      expect(result.ratio).toBeGreaterThan(0);
    }
  });

  it('can be how long frames of calls are under way, beside a relay', async ({ expect }) => {
    const result = await runFigure(backends, mediaFrames, { ...little, rounds: 1, warmUpRounds: 0 });
    expect(result.measured).toBeGreaterThan(0);
    expect(result.floor).toBeGreaterThan(0);
  });

  it('can be the size of what the web chat of a page loads', async ({ expect }) => {
    const result = await runFigure(backends, widgetSize, little);
    expect(result).toMatchObject({ met: true, measured: expect.any(Number) });
    // A browser would load nothing of a chat that is no more than this.
    expect(result.measured).toBeGreaterThan(5);
  });

  it('can be a pass of the reconciler', async ({ expect }) => {
    const { measured } = await runFigure(backends, reconcilePass.calls, little);
    // The calls: fifty look-ups, one for the runs closed since the last pass, and one for those that are open.
    expect(measured).toBe(52);
  });

  it('can be what an installation commits at rest, and what idle workspaces add to a pass', async ({
    expect,
  }) => {
    expect((await runFigure(backends, idleCommits, little)).measured).toBeGreaterThan(0);
    const { floor, difference } = await runFigure(backends, idlePass, {
      ...little,
      rounds: 1,
      warmUpRounds: 0,
    });
    expect(floor).toBeGreaterThan(3);
    expect(difference).toBe(0);
  });
});

it('compares what is asked of two installations, whose rows are alike', { timeout: 300_000 }, async () => {
  const own = new TestBackends(largeSettings);
  try {
    const part = 3 / 5_000;
    const installations = await openInstallations({ ...backends, postgres: own.postgres }, part, {
      rounds: 1,
      warmUpRounds: 0,
    });
    for (const question of questions) {
      const { floor, measured } = await installations.measure({ ...question, times: 1 });
      expect(floor, question.name).toBeGreaterThan(0);
      expect(measured, question.name).toBeGreaterThan(0);
    }
    await installations.close();
  } finally {
    await own.stop();
  }
});

describe('a bench figure', () => {
  it('is the median of the rounds’ ratios without the warm-up', async () => {
    const samples = { floor: values(1, 10, 20, 10), measured: values(100, 5, 16, 9) };
    const result = await measure(figure({ ratioAtLeast: 0.8 }), samples, little);
    expect(result).toMatchObject({ floor: 10, measured: 9, ratio: 0.8, met: true });
  });

  it.each([
    [{ ratioAtLeast: 0.91 }, false],
    [{ ratioAtLeast: 0.9 }, true],
    [{ ratioAtMost: 0.9 }, true],
    [{ ratioAtMost: 0.89 }, false],
    [{ atMost: 9 }, true],
    [{ atMost: 8.9 }, false],
  ])('has a target %j that is met: %s', async (target, met) => {
    const samples = { floor: async () => 10, measured: async () => 9 };
    const result = await measure(figure(target), samples, little);
    expect(result.met).toBe(met);
    expect(misses([result])).toHaveLength(met ? 0 : 1);
  });

  it.each([
    [1, true],
    [0.9, false],
  ])('may be %d more than its floor: %s', async (moreAtMost, met) => {
    const samples = { floor: values(1, 10, 20, 10), measured: values(100, 11, 20.5, 12) };
    const result = await measure(figure({ moreAtMost }), samples, little);
    expect(result).toMatchObject({ difference: 1, met });
    expect(table([result])).toContain('+1.00 ms');
  });

  it.each([
    ['figure', figures],
    ['operation', operations],
    ['question', questions],
  ])('or an operation has a unique name: %s', (_, all: readonly { name: string }[]) => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });
});

describe('the bench command line', () => {
  const read = (...args: string[]) => readOptions(args, { figures, operations, questions });

  it('accepts names of figures and a file', () => {
    const options = read('get-messages', '--json', 'results.json');
    const command = 'figures';
    expect(options).toEqual({ command, figures: [getMessages], jsonFile: 'results.json', isRecorded: false });
    expect(read('--record')).toEqual({ command, figures, isRecorded: true });
    expect(read('--beside', 'v1', 'get-messages')).toMatchObject({ base: 'v1', figures: [getMessages] });
  });

  it('accepts names of operations whose costs are counted', () => {
    expect(read('costs')).toEqual({ command: 'costs', operations });
    const options = read('costs', 'answer-sms', 'get-record');
    expect('operations' in options && options.operations.map(({ name }) => name)).toEqual([
      'get-record',
      'answer-sms',
    ]);
  });

  it('accepts names of questions to a large installation, and a scale', () => {
    expect(read('large')).toEqual({ command: 'large', questions, scale: 0.05 });
    expect(read('large', 'get-chat', '--scale', '0.5')).toMatchObject({
      questions: [{ name: 'get-chat' }],
      scale: 0.5,
    });
  });

  it.each([
    [['speed'], /There is no figure speed: there are get-messages/],
    [['costs', 'speed'], /There is no operation speed: there are get-messages/],
    [['--json'], /--json/],
    [['costs', '--record'], /--record does not belong here/],
    [['--record', '--beside', 'v1'], /--record does not belong here/],
    [['--scale', '1'], /--scale does not belong here/],
    [['large', '--scale', '2'], /--scale has to be above 0/],
  ])('refuses %j with what there is', (args, message) => {
    expect(() => read(...args)).toThrow(UsageError);
    expect(() => read(...args)).toThrow(message);
  });
});

it('computes percentiles by nearest rank', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
  expect([50, 99, 100].map((percent) => percentile(hundred, percent))).toEqual([50, 99, 100]);
  expect(() => percentile([], 50)).toThrow('nothing was measured');
});
