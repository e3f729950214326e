import { EventEmitter, once } from 'node:events';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { runBridge } from '../../../media/bridge/bridge.js';
import type {
  BridgeClock,
  BridgeEnd,
  CallBackend,
  CallOpening,
  Played,
  Said,
} from '../../../media/bridge/ports.js';
import { systemClock } from '../../../media/bridge/system-clock.js';
import { ModelUnusable } from '../../../providers/model/chat-model.js';
import { OpenAiRealtime } from '../../../providers/realtime/openai-realtime.js';
import type { RealtimeToolCall } from '../../../providers/realtime/realtime.js';
import { startModelSimulator } from '../../../tools/simulators/model/start-model-simulator.js';
import type { RunningSimulator } from '../../../tools/simulators/support/serve.js';
import { cough, silence } from '../../../tools/simulators/support/spoken.js';
import { Handset } from './handset.js';

const opening: CallOpening = {
  settings: {
    model: 'gpt-realtime',
    voice: 'marin',
    instructions: '## Current task: Ask\nAsk "How are you?"',
    tools: [
      { name: 'complete_task', description: 'Completes.', parameters: { type: 'object', properties: {} } },
    ],
    turnDetection: { kind: 'server_vad', silenceMs: 200 },
    noiseReduction: null,
    transcription: { model: 'gpt-4o-mini-transcribe' },
    history: [],
  },
  conduct: { silenceMs: null, silencePrompts: 0, fillerMs: 1_500 },
  firstWords: 'Begin.',
  news: { isCurrent: true },
};

/** A domain in memory. */
class FakeBackend implements CallBackend {
  stored: Said[] = [];
  toolRuns: RealtimeToolCall[][] = [];
  played_: { messageId: number; played: Played }[] = [];
  failures = 0;
  opens = 0;
  ended = false;
  ending = false;
  readonly #news = new EventEmitter();

  async open() {
    this.opens += 1;
    return opening;
  }
  async store(said: Said) {
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error('the database is away');
    }
    this.stored.push(said);
    this.#news.emit('stored');
  }

  /** Resolves once so much was stored. */
  async until(count: number): Promise<void> {
    while (this.stored.length < count) await once(this.#news, 'stored');
  }

  async played(messageId: number, played: Played) {
    this.played_.push({ messageId, played });
    return { isCurrent: true };
  }
  async runTools(_: string, calls: readonly RealtimeToolCall[]) {
    this.toolRuns.push([...calls]);
    const outputs = calls.map(({ callId }) => ({ callId, output: '{"ok":true}' }));
    return { outputs, news: { isCurrent: true, ...(this.ending ? { ending: 'hang_up' as const } : {}) } };
  }
  async takeKeys() {
    return { told: 'Taken.', news: { isCurrent: true } };
  }
  async look() {
    return { isCurrent: true };
  }
  async endCall() {
    this.ended = true;
  }
  async bookResponse() {}
  async bookTranscription() {}

  get transcript(): string[] {
    return this.stored.map(({ by, text }) => `${by}: ${text}`);
  }
}

let simulator: RunningSimulator;
const controllers: AbortController[] = [];

beforeAll(async () => {
  simulator = await startModelSimulator({ port: 0 });
  return () => simulator.close();
});

afterEach(async () => {
  for (const controller of controllers.splice(0)) controller.abort('drained');
  await control('DELETE', '/realtime/knobs');
  await control('DELETE', '/script');
});

async function control(method: string, path: string, body?: unknown): Promise<unknown> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${simulator.url}${path}`, { method, ...sent });
  expect(answer.ok).toBe(true);
  const text = await answer.text();
  return text === '' ? undefined : JSON.parse(text);
}

/** What the model's sessions refused: the bridge should never be refused. */
async function refusals(): Promise<string[]> {
  const { sessions } = (await control('GET', '/realtime/sessions')) as { sessions: { refusals: string[] }[] };
  return sessions.flatMap((session) => session.refusals);
}

interface Running {
  handset: Handset;
  backend: FakeBackend;
  ended: Promise<BridgeEnd>;
  stop: AbortController;
  finished: () => boolean;
}

function start(
  backend = new FakeBackend(),
  { playsAtOnce = true, clock = systemClock }: { playsAtOnce?: boolean; clock?: BridgeClock } = {},
): Running {
  const handset = new Handset();
  const times = { beganAt: clock.now(), streamBeganMs: 0 };
  handset.playsAtOnce = playsAtOnce;
  const stop = new AbortController();
  controllers.push(stop);
  let isFinished = false;
  const ended = runBridge({
    stream: handset,
    call: { workspaceId: 1, chatId: 2, callId: 3, attempt: 1, ...times, recordingUuid: null },
    backend,
    model: new OpenAiRealtime({ apiKey: 'key', baseUrl: `${simulator.url}/v1` }),
    recorder: {
      heard: () => undefined,
      spoke: () => undefined,
      cleared: () => undefined,
      finish: async () => {
        isFinished = true;
      },
    },
    clock,
    log: { info: () => undefined, warn: () => undefined },
    signal: stop.signal,
  });
  handset.send(silence(20));
  return { handset, backend, ended, stop, finished: () => isFinished };
}

describe('a call with the simulated model', () => {
  test('greets, hears, runs a tool, answers, and leaves a transcript in order', async () => {
    const { handset, backend, ended, finished } = start();
    await handset.until(({ heard }) => heard.includes('How are you?'));
    await control('POST', '/script', {
      replies: [{ toolCalls: [{ name: 'complete_task', arguments: {} }] }, { content: 'Glad to hear it.' }],
    });
    handset.say('Fine, thanks');
    await backend.until(3);
    handset.hangUp();
    expect(await ended).toEqual({ reason: 'caller_left' });
    expect(backend.toolRuns.map(([call]) => call?.name)).toEqual(['complete_task']);
    expect(backend.transcript).toEqual([
      'agent: How are you?',
      'caller: Fine, thanks',
      'agent: Glad to hear it.',
    ]);
    expect(finished()).toBe(true);
    expect(handset.isClosed).toBe(true);
    expect(await refusals()).toEqual([]);
  });

  test('what was interrupted is known to the model as far as it was played', async () => {
    const { handset, backend, ended } = start(new FakeBackend(), { playsAtOnce: false });
    await handset.until(({ waiting }) => waiting.includes('How are you?'));
    handset.play(300);
    await control('POST', '/script', { replies: [{ content: 'Sorry.' }] });
    handset.say('Stop');
    await handset.until(({ waiting }) => waiting === 'Sorry.');
    handset.playsAtOnce = true;
    handset.play();
    await backend.until(3);
    handset.hangUp();
    await ended;
    expect(backend.stored[0]).toMatchObject({
      by: 'agent',
      cut: { whole: 'How are you?', reason: 'interrupted' },
    });
    expect(backend.transcript.slice(1)).toEqual(['caller: Stop', 'agent: Sorry.']);
    const { count } = (await control('GET', '/realtime/sessions')) as { count: number };
    const { messages } = (await control('GET', `/realtime/sessions/${count}`)) as {
      messages: { role: string; text: string }[];
    };
    const spoken = messages.filter(({ role }) => role === 'assistant').map(({ text }) => text);
    expect('How are you?'.startsWith(spoken[0] ?? 'x')).toBe(true);
    expect(spoken[0]).not.toBe('How are you?');
    expect(await refusals()).toEqual([]);
  });

  test('a cough does not stop the agent', async () => {
    const { handset, backend, ended } = start(new FakeBackend(), { playsAtOnce: false });
    await handset.until(({ waiting }) => waiting.includes('How are you?'));
    handset.play(200);
    handset.send(Buffer.concat([cough(200), silence(400)]));
    await handset.until(({ clears, waiting }) => clears === 1 && waiting.endsWith('you?'));
    handset.playsAtOnce = true;
    handset.play();
    await backend.until(1);
    expect(handset.heard.endsWith('you?')).toBe(true);
    handset.hangUp();
    await ended;
    expect(backend.transcript).toEqual(['agent: How are you?']);
  });

  test('a session that drops in mid-sentence is replaced, and the agent goes on', async () => {
    await control('POST', '/script', {
      replies: [{ content: 'How are you, dear caller?', error: 'drop_midway' }],
    });
    const { handset, backend, ended } = start();
    await backend.until(2);
    handset.hangUp();
    await ended;
    expect(backend.opens).toBe(2);
    expect(backend.transcript).toHaveLength(2);
    expect(await refusals()).toEqual([]);
  });

  test('the agent ends the call after its last word was played', async () => {
    const backend = new FakeBackend();
    backend.ending = true;
    await control('POST', '/script', {
      replies: [{ content: 'Goodbye.', toolCalls: [{ name: 'complete_task', arguments: {} }] }],
    });
    const { handset, ended } = start(backend);
    expect(await ended).toEqual({ reason: 'agent_ended' });
    expect(handset.heard).toBe('Goodbye.');
    expect(backend.transcript).toEqual(['agent: Goodbye.']);
  });

  test('that the agent has ended the call is noted before the bridge has ended', async () => {
    const backend = new FakeBackend();
    let note = (): void => {};
    const noted = new Promise<void>((resolve) => {
      note = resolve;
    });
    backend.open = async () => ({
      ...opening,
      conduct: { silenceMs: 1, silencePrompts: 0, fillerMs: 1_500 },
    });
    backend.endCall = () => noted;
    const { handset, ended } = start(backend);
    await backend.until(2);
    let hasEnded = false;
    void ended.then(() => {
      hasEnded = true;
    });
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect([hasEnded, handset.isClosed]).toEqual([false, false]);
    note();
    expect(await ended).toEqual({ reason: 'agent_ended' });
    expect(handset.isClosed).toBe(true);
  });

  test('what could not be stored is stored when the database is back', async () => {
    const backend = new FakeBackend();
    backend.failures = 2;
    const { handset, ended } = start(backend);
    await backend.until(1);
    handset.hangUp();
    await ended;
    expect(backend.transcript).toEqual(['agent: How are you?']);
  });

  test('an account that cannot be used ends the bridge at once', async () => {
    await control('POST', '/realtime/knobs', { refuse: 401 });
    const backend = new FakeBackend();
    const { handset, ended } = start(backend);
    expect(await ended).toEqual({ reason: 'model_lost' });
    expect(backend.opens).toBe(1);
    expect(handset.isClosed).toBe(true);
  });

  test('a model that is busy is tried again', async () => {
    await control('POST', '/realtime/knobs', { refuse: 503 });
    const backend = new FakeBackend();
    const { handset, ended } = start(backend);
    while (backend.opens < 2) await new Promise((resolve) => setImmediate(resolve));
    await control('POST', '/realtime/knobs', { refuse: null });
    await handset.until(({ heard }) => heard.includes('How are you?'));
    handset.hangUp();
    expect(await ended).toEqual({ reason: 'caller_left' });
  });

  test('a call that is over, or another attempt, gets no session', async () => {
    const backend = new FakeBackend();
    backend.open = async () => 'over' as never;
    expect(await start(backend).ended).toEqual({ reason: 'superseded' });
    backend.open = async () => 'no_model' as never;
    expect(await start(backend).ended).toEqual({ reason: 'model_lost' });
  });

  test('an error of ours in the middle of a call ends the bridge', async () => {
    const { handset, ended } = start();
    await handset.until(({ heard }) => heard.includes('How are you?'));
    handset.sendAudio = () => {
      throw new Error('a mistake');
    };
    handset.say('Hello');
    expect(await ended).toEqual({ reason: 'model_lost' });
    expect(handset.isClosed).toBe(true);
  });

  test('a signal that came before is heard', async () => {
    const { ended, stop } = start();
    stop.abort('commanded');
    expect(await ended).toEqual({ reason: 'commanded' });
  });

  test('a tool that fails for good still has an output', async () => {
    const backend = new FakeBackend();
    backend.runTools = async () => {
      throw new ModelUnusable('x', true);
    };
    // It is tried again for ten seconds, which the clock of this bridge does not take.
    await control('POST', '/script', {
      replies: [{ toolCalls: [{ name: 'complete_task', arguments: {} }] }],
    });
    let ahead = 0;
    const now = () => {
      ahead += 5_000;
      return systemClock.now() + ahead;
    };
    const { handset, ended } = start(backend, { clock: { ...systemClock, now } });
    await handset.until(({ heard }) => heard.includes('How are you?'));
    handset.hangUp();
    expect(await ended).toEqual({ reason: 'caller_left' });
  });
});
