import { once } from 'node:events';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startModelSimulator } from '../../../../tools/simulators/model/start-model-simulator.js';
import type { RunningSimulator } from '../../../../tools/simulators/support/serve.js';
import { cough, silence, speak, spokenMs, understand } from '../../../../tools/simulators/support/spoken.js';
import { RealtimeClient } from './realtime-client.js';

const telephone = { format: { type: 'audio/pcmu' } };
const byHand = { create_response: false, interrupt_response: false };
const session = {
  instructions: '## Current task: Ask\nAsk "How are you?"',
  audio: {
    input: {
      ...telephone,
      turn_detection: { type: 'server_vad', ...byHand },
      transcription: { model: 'gpt-4o-mini-transcribe' },
    },
    output: { ...telephone, voice: 'marin' },
  },
};

let simulator: RunningSimulator;
const clients: RealtimeClient[] = [];

beforeAll(async () => {
  simulator = await startModelSimulator({ port: 0 });
  return () => simulator.close();
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.terminate();
  await control('DELETE', '/realtime/knobs');
  await control('DELETE', '/script');
});

async function open(settings: Record<string, unknown> | undefined = session): Promise<RealtimeClient> {
  const client = await RealtimeClient.open(simulator.url, settings);
  clients.push(client);
  return client;
}

async function control(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${simulator.url}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
  const text = await answer.text();
  return text === '' ? undefined : JSON.parse(text);
}

function responseOf(event: Record<string, unknown>) {
  return event.response as { id: string; status: string; output: Record<string, unknown>[]; usage: object };
}

describe('settings', () => {
  test('an update without its type is refused, and the session goes on without it', async () => {
    const client = await open(undefined);
    const refused = await client.refused({ type: 'session.update', session: { instructions: 'Be kind.' } });
    expect(refused).toMatchObject({
      code: 'missing_required_parameter',
      param: 'session.type',
      event_id: 'mine',
    });
    client.send({ type: 'response.create' });
    await client.next('response.done');
  });

  test.each([
    ['modalities', 'session.modalities'],
    ['input_audio_format', 'session.input_audio_format'],
    ['turn_detection', 'session.turn_detection'],
  ])('the earlier form of %s is refused', async (field, param) => {
    const client = await open(undefined);
    const update = { type: 'session.update', session: { type: 'realtime', [field]: 'x' } };
    expect(await client.refused(update)).toMatchObject({ code: 'unknown_parameter', param });
  });

  test('the voice cannot be changed once there was audio', async () => {
    const client = await open();
    client.send({ type: 'response.create' });
    await client.next('response.done');
    const audio = { output: { voice: 'alloy' } };
    const refused = await client.refused({ type: 'session.update', session: { type: 'realtime', audio } });
    expect(refused).toMatchObject({ code: 'cannot_update_voice' });
  });

  test('without a key the upgrade is refused, and a client of the beta is closed', async () => {
    const keyless = new RealtimeClient(simulator.url, {});
    const [error] = (await once(keyless.socket, 'error')) as [Error];
    expect(error.message).toContain('401');
    const beta = new RealtimeClient(simulator.url, {
      authorization: 'Bearer key',
      'openai-beta': 'realtime=v1',
    });
    expect((await once(beta.socket, 'close'))[0]).toBe(4_000);
  });

  test('a kind of event that does not exist is refused', async () => {
    const client = await open();
    expect(await client.refused({ type: 'output_audio_buffer.clear' })).toMatchObject({
      code: 'invalid_value',
    });
  });
});

describe('hearing', () => {
  test('speech is detected, committed, and written down', async () => {
    const client = await open();
    client.append(Buffer.concat([silence(1_000), speak('Hello there'), silence(600)]));
    expect(await client.next('input_audio_buffer.speech_started')).toMatchObject({ audio_start_ms: 700 });
    const stopped = await client.next('input_audio_buffer.speech_stopped');
    expect(stopped).toMatchObject({ audio_end_ms: 1_000 + spokenMs('Hello there') + 500 });
    const committed = await client.next('input_audio_buffer.committed');
    expect(committed).toMatchObject({ previous_item_id: null });
    const written = await client.next('conversation.item.input_audio_transcription.completed');
    expect(written).toMatchObject({ item_id: committed.item_id, transcript: 'Hello there' });
    expect(client.events.some(({ type }) => type === 'response.created')).toBe(false);
  });

  test('frames of any length are heard', async () => {
    const client = await open();
    const sound = Buffer.concat([speak('odd'), silence(600)]);
    for (let from = 0; from < sound.length; from += 77) client.append(sound.subarray(from, from + 77));
    const written = await client.next('conversation.item.input_audio_transcription.completed');
    expect(written.transcript).toBe('odd');
  });

  test('a cough has no words', async () => {
    const client = await open();
    client.append(Buffer.concat([cough(200), silence(600)]));
    const written = await client.next('conversation.item.input_audio_transcription.completed');
    expect(written.transcript).toBe('');
  });

  test('by default the model answers by itself, and interrupts itself', async () => {
    const input = { ...telephone, turn_detection: { type: 'server_vad' } };
    const client = await open({ audio: { input, output: telephone } });
    await control('POST', '/realtime/knobs', { thinkMs: 60_000 });
    client.append(Buffer.concat([speak('one'), silence(600)]));
    await client.next('response.created');
    client.append(speak('two'));
    expect(responseOf(await client.next('response.done'))).toMatchObject({
      status: 'cancelled',
      status_details: { reason: 'turn_detected' },
    });
  });

  test('transcripts come late and in another order, and fail', async () => {
    const client = await open();
    await control('POST', '/realtime/knobs', { transcriptsSwapped: 1 });
    client.append(Buffer.concat([speak('one'), silence(600), speak('two'), silence(600)]));
    await client.next('conversation.item.input_audio_transcription.completed', 2);
    const written = client.events.filter(({ type }) => type.endsWith('transcription.completed'));
    expect(written.map(({ transcript }) => transcript)).toEqual(['two', 'one']);
    await control('POST', '/realtime/knobs', { transcriptsFailing: 1 });
    client.append(Buffer.concat([speak('three'), silence(600)]));
    await client.next('conversation.item.input_audio_transcription.failed');
  });

  test('what is not base64 is refused', async () => {
    const client = await open();
    const refused = await client.refused({ type: 'input_audio_buffer.append', audio: 'no sound!' });
    expect(refused).toMatchObject({ param: 'audio' });
  });
});

describe('responses', () => {
  test('the question of the task is spoken in pieces, with its words and its usage', async () => {
    const client = await open();
    client.send({ type: 'response.create', response: { metadata: { request: '1' } } });
    const done = responseOf(await client.next('response.done'));
    expect(done).toMatchObject({ status: 'completed', metadata: { request: '1' } });
    const pieces = client.events.filter(({ type }) => type === 'response.output_audio.delta');
    const sound = Buffer.concat(pieces.map(({ delta }) => Buffer.from(String(delta), 'base64')));
    expect(understand(sound)).toBe('How are you?');
    const words = client.events.filter(({ type }) => type === 'response.output_audio_transcript.delta');
    expect(words.map(({ delta }) => delta).join('')).toBe('How are you?');
    expect(done.usage).toMatchObject({
      output_token_details: { audio_tokens: Math.ceil(spokenMs('How are you?') / 50) },
    });
  });

  test('there is one at a time', async () => {
    const client = await open();
    await control('POST', '/realtime/knobs', { thinkMs: 60_000 });
    client.send({ type: 'response.create' });
    const refused = await client.refused({ type: 'response.create' });
    expect(refused).toMatchObject({ code: 'conversation_already_has_active_response', event_id: 'mine' });
    client.send({ type: 'response.cancel' });
    const done = responseOf(await client.next('response.done'));
    expect(done).toMatchObject({ status: 'cancelled', status_details: { reason: 'client_cancelled' } });
    expect(await client.refused({ type: 'response.cancel' })).toMatchObject({
      code: 'response_cancel_not_active',
    });
  });

  test('a call waits for its output, which is owed once', async () => {
    const client = await open({ ...session, tools: [tool('complete_task')] });
    await control('POST', '/script', {
      replies: [{ toolCalls: [{ name: 'complete_task', arguments: {} }] }],
    });
    client.send({ type: 'response.create' });
    const [call] = responseOf(await client.next('response.done')).output;
    expect(call).toMatchObject({ type: 'function_call', name: 'complete_task', arguments: '{}' });
    const output = { type: 'function_call_output', call_id: call?.call_id, output: '{"ok":true}' };
    const create = { type: 'conversation.item.create', item: output };
    client.send(create);
    await client.next('conversation.item.done', 2);
    expect(await client.refused(create)).toMatchObject({ code: 'duplicate_tool_output' });
    const stranger = { ...create, item: { ...output, call_id: 'call_none' } };
    expect(await client.refused(stranger)).toMatchObject({ code: 'invalid_tool_call_id' });
  });

  test('an item is truncated up to its sound, and the model knows what was heard', async () => {
    const client = await open();
    client.send({ type: 'response.create' });
    const done = responseOf(await client.next('response.done'));
    const item_id = done.output[0]?.id;
    const cut = { type: 'conversation.item.truncate', item_id, content_index: 0 };
    const whole = spokenMs('How are you?');
    for (const audio_end_ms of [0, whole + 1, 12.5]) {
      expect(await client.refused({ ...cut, audio_end_ms })).toMatchObject({ code: 'invalid_value' });
    }
    client.send({ ...cut, audio_end_ms: spokenMs('How') });
    await client.next('conversation.item.truncated');
    expect(await messages()).toContainEqual({ role: 'assistant', text: 'How', toolCalls: [] });
    expect(await client.refused({ ...cut, audio_end_ms: whole })).toMatchObject({ code: 'invalid_value' });
    client.send({ type: 'conversation.item.delete', item_id });
    await client.next('conversation.item.deleted');
    expect(await client.refused({ ...cut, audio_end_ms: 1 })).toMatchObject({ param: 'item_id' });
  });

  test('messages have the content type of their role', async () => {
    const client = await open();
    const item = { type: 'message', role: 'assistant', content: [{ type: 'input_text', text: 'Hi' }] };
    const refused = await client.refused({ type: 'conversation.item.create', item });
    expect(refused).toMatchObject({ code: 'invalid_value' });
  });

  test('a scripted failure ends the response, and a drop the connection', async () => {
    const client = await open();
    await control('POST', '/script', {
      replies: [{ status: 500 }, { content: 'A long sentence.', error: 'drop_midway' }],
    });
    client.send({ type: 'response.create' });
    expect(responseOf(await client.next('response.done')).status).toBe('failed');
    client.send({ type: 'response.create' });
    await once(client.socket, 'close');
    // What was sent before a connection breaks may be lost with it; the end of the response never comes.
    expect(client.events.filter(({ type }) => type === 'response.done')).toHaveLength(1);
  });

  test('instructions of a response that quote something are said', async () => {
    const client = await open();
    client.send({
      type: 'response.create',
      response: { instructions: 'Say "One moment."', tool_choice: 'none' },
    });
    const done = responseOf(await client.next('response.done'));
    expect(done.output[0]).toMatchObject({ content: [{ transcript: 'One moment.' }] });
  });
});

describe('mishaps', () => {
  test('a response can be active without a sound', async () => {
    const client = await open();
    await control('POST', '/realtime/knobs', { silentResponses: 1 });
    client.send({ type: 'response.create' });
    await client.next('response.created');
    client.send({ type: 'response.cancel' });
    expect(responseOf(await client.next('response.done'))).toMatchObject({ status: 'cancelled', output: [] });
    client.send({ type: 'response.create' });
    expect(responseOf(await client.next('response.done', 2)).status).toBe('completed');
  });

  test('sessions are dropped, closed with a code, refused, and end after their time', async () => {
    const dropped = once((await open()).socket, 'close');
    await control('POST', '/realtime/drop', {});
    expect((await dropped)[0]).toBe(1_006);
    const closed = once((await open()).socket, 'close');
    await control('POST', '/realtime/drop', { code: 1_011, reason: 'restart' });
    expect((await closed)[0]).toBe(1_011);
    await control('POST', '/realtime/knobs', { refuse: 429 });
    const refused = new RealtimeClient(simulator.url);
    expect(String((await once(refused.socket, 'error'))[0])).toContain('429');
    await control('POST', '/realtime/knobs', { refuse: null, sessionSeconds: 0.02 });
    const short = new RealtimeClient(simulator.url);
    await once(short.socket, 'close');
    expect(short.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'session_expired' } });
  });
});

function tool(name: string) {
  return { type: 'function', name, description: name, parameters: { type: 'object', properties: {} } };
}

/** The conversation of the newest session. */
async function messages(): Promise<unknown[]> {
  const { count } = (await control('GET', '/realtime/sessions')) as { count: number };
  return ((await control('GET', `/realtime/sessions/${count}`)) as { messages: unknown[] }).messages;
}
