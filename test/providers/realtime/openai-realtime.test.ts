import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { ModelBusy, ModelRefused, ModelUnusable } from '../../../providers/model/chat-model.js';
import { OpenAiRealtime, type OpenAiRealtimeOptions } from '../../../providers/realtime/openai-realtime.js';
import type {
  RealtimeEvent,
  RealtimeSession,
  RealtimeSettings,
} from '../../../providers/realtime/realtime.js';
import { collectGarbage } from '../../support/lib/collect-garbage.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { closedPort, startAnswering, startServer, startSilentServer } from '../misbehaving-server.js';
import { type ScriptedRealtime, type ServerEnd, startScriptedRealtime } from './scripted-realtime.js';

const settings: RealtimeSettings = {
  model: 'gpt-realtime',
  voice: 'marin',
  instructions: 'Be kind.',
  tools: [{ name: 'handoff', description: 'Hands over.', parameters: { type: 'object' } }],
  turnDetection: { kind: 'server_vad', threshold: 0.6, silenceMs: 400 },
  noiseReduction: 'near_field',
  transcription: { model: 'gpt-4o-mini-transcribe', language: 'de' },
  history: [
    { role: 'system', text: 'Note.' },
    { role: 'user', text: 'Hello' },
    { role: 'assistant', text: 'Good morning.' },
  ],
};

interface Opened {
  session: RealtimeSession;
  server: ServerEnd;
  events: RealtimeEvent[];
  /** Resolves to the next event of the type. */
  event<Type extends RealtimeEvent['type']>(type: Type): Promise<Extract<RealtimeEvent, { type: Type }>>;
}

async function open(
  options: Partial<OpenAiRealtimeOptions> = {},
  onEvent: (event: RealtimeEvent) => void = () => undefined,
): Promise<Opened> {
  const scripted = await startScriptedRealtime();
  const events: RealtimeEvent[] = [];
  const waiting: { type: string; found: (event: RealtimeEvent) => void }[] = [];
  const listen = (event: RealtimeEvent) => {
    events.push(event);
    const place = waiting.findIndex(({ type }) => type === event.type);
    if (place !== -1) waiting.splice(place, 1)[0]?.found(event);
    onEvent(event);
  };
  const opening = connect(scripted, options, listen);
  const server = await scripted.accept();
  await server.next('session.update');
  server.send({ type: 'session.updated', session: {} });
  return {
    session: await opening,
    server,
    events,
    event: async (type) => {
      const here = events.find((event) => event.type === type);
      const found = here ?? (await new Promise<RealtimeEvent>((found) => waiting.push({ type, found })));
      return found as never;
    },
  };
}

function connect(
  { baseUrl }: Pick<ScriptedRealtime, 'baseUrl'>,
  options: Partial<OpenAiRealtimeOptions> = {},
  listen: (event: RealtimeEvent) => void = () => undefined,
  signal: AbortSignal = new AbortController().signal,
): Promise<RealtimeSession> {
  return new OpenAiRealtime({ apiKey: 'key', baseUrl, ...options }).connect(settings, listen, signal);
}

describe('opening a session', () => {
  test('settings are of the current protocol, and are the first that is sent', async () => {
    const { server } = await open();
    expect(server.request.url).toBe('/v1/realtime?model=gpt-realtime');
    expect(server.request.headers.authorization).toBe('Bearer key');
    expect(server.received[0]).toMatchObject({
      type: 'session.update',
      session: {
        type: 'realtime',
        instructions: 'Be kind.',
        output_modalities: ['audio'],
        tools: [{ type: 'function', name: 'handoff' }],
        audio: {
          input: {
            format: { type: 'audio/pcmu' },
            noise_reduction: { type: 'near_field' },
            transcription: { model: 'gpt-4o-mini-transcribe', language: 'de' },
            turn_detection: {
              type: 'server_vad',
              threshold: 0.6,
              silence_duration_ms: 400,
              create_response: false,
              interrupt_response: false,
            },
          },
          output: { format: { type: 'audio/pcmu' }, voice: 'marin' },
        },
      },
    });
  });

  test('no compression is offered', async () => {
    const { server } = await open();
    expect(server.request.headers['sec-websocket-extensions']).toBeUndefined();
  });

  test('the session is not handed out before the server has accepted the settings', async () => {
    const scripted = await startScriptedRealtime();
    let isOpen = false;
    const opening = connect(scripted).then((session) => {
      isOpen = true;
      return session;
    });
    const server = await scripted.accept();
    await server.next('session.update');
    server.send({ type: 'session.created', session: {} });
    // The pong comes after all that was sent before the ping.
    server.socket.ping();
    await once(server.socket, 'pong');
    expect(isOpen).toBe(false);
    server.send({ type: 'session.updated', session: {} });
    await opening;
  });

  test('the history is given in its order, with the content type of each role', async () => {
    const { server, session } = await open();
    session.cancel(undefined);
    await server.next('response.cancel');
    expect(server.received.slice(1, 4).map(({ item }) => item)).toEqual([
      { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'Note.' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Good morning.' }] },
    ]);
  });

  test.each([
    [401, ModelUnusable, 'http_401'],
    [403, ModelUnusable, 'http_403'],
    [404, ModelUnusable, 'http_404'],
    [400, ModelRefused, 'http_400'],
    [429, ModelBusy, 'http_429'],
    [503, ModelBusy, 'http_503'],
  ])('an upgrade refused with %d is classified', async (status, type, code) => {
    const url = await startAnswering(status, '{}');
    const refused = connect({ baseUrl: `${url}/v1` });
    await expect(refused).rejects.toBeInstanceOf(type);
    await expect(refused).rejects.toMatchObject({ code });
  });

  test('the time to wait is read from a refused upgrade', async () => {
    const url = await startServer((_, response) => response.writeHead(429, { 'retry-after': '7' }).end());
    await expect(connect({ baseUrl: `${url}/v1` })).rejects.toMatchObject({ retryAfterMs: 7_000 });
  });

  test.each([
    ['insufficient_quota', 'invalid_request_error', ModelUnusable],
    ['model_not_found', 'invalid_request_error', ModelUnusable],
    ['beta_api_shape_disabled', 'invalid_request_error', ModelRefused],
    [null, 'server_error', ModelBusy],
  ])('settings refused with %s are classified', async (code, type, expected) => {
    const scripted = await startScriptedRealtime();
    const refused = connect(scripted);
    const server = await scripted.accept();
    await server.next('session.update');
    server.send({
      type: 'error',
      error: { type, code, message: 'Quoted words.', param: null, event_id: null },
    });
    await expect(refused).rejects.toBeInstanceOf(expected);
    await expect(refused).rejects.not.toThrow('Quoted');
  });

  test('without a connection the model is busy', async () => {
    const baseUrl = `http://127.0.0.1:${await closedPort()}/v1`;
    await expect(connect({ baseUrl })).rejects.toMatchObject({ name: 'ModelBusy', code: 'connection' });
  });

  test('a server that does not answer the upgrade is given up in time', async () => {
    const baseUrl = `http://127.0.0.1:${await startSilentServer()}/v1`;
    await expect(connect({ baseUrl }, { openTimeoutMs: 50 })).rejects.toBeInstanceOf(ModelBusy);
  });

  test('a server that never accepts the settings is given up in time', async () => {
    const scripted = await startScriptedRealtime();
    const opening = connect(scripted, { openTimeoutMs: 1_000 });
    await expect(opening).rejects.toMatchObject({ name: 'ModelBusy', code: 'timeout' });
    const server = await scripted.accept();
    if (server.socket.readyState !== server.socket.CLOSED) await once(server.socket, 'close');
  });

  test('a server that never accepts the settings is given up in time, also if garbage is collected meanwhile', async () => {
    const scripted = await startScriptedRealtime();
    const opening = connect(scripted, { openTimeoutMs: 300 });
    let isOver = false;
    void opening.catch(() => {
      isOver = true;
    });
    await scripted.accept();
    await waitFor('it is given up', () => {
      collectGarbage();
      return isOver;
    });
    await expect(opening).rejects.toMatchObject({ name: 'ModelBusy', code: 'timeout' });
  });

  test('a connection that is lost before the settings are accepted is an error, and no event', async () => {
    const scripted = await startScriptedRealtime();
    const events: RealtimeEvent[] = [];
    const opening = connect(scripted, {}, (event) => events.push(event));
    const server = await scripted.accept();
    server.socket.terminate();
    await expect(opening).rejects.toBeInstanceOf(ModelBusy);
    expect(events).toEqual([]);
  });

  test('aborting rejects with the reason and closes the socket', async () => {
    const scripted = await startScriptedRealtime();
    const controller = new AbortController();
    const opening = connect(scripted, {}, undefined, controller.signal);
    const server = await scripted.accept();
    controller.abort(new Error('call over'));
    await expect(opening).rejects.toThrow('call over');
    if (server.socket.readyState !== server.socket.CLOSED) await once(server.socket, 'close');
  });
});

describe('events of a session', () => {
  test('are read with our names', async () => {
    const { server, events, event } = await open();
    const place = { response_id: 'r1', item_id: 'i1', output_index: 0, content_index: 0 };
    const sent = [
      { type: 'input_audio_buffer.speech_started', item_id: 'u1', audio_start_ms: 40 },
      { type: 'input_audio_buffer.speech_stopped', item_id: 'u1', audio_end_ms: 900 },
      { type: 'input_audio_buffer.committed', item_id: 'u1', previous_item_id: null },
      { type: 'rate_limits.updated', rate_limits: [] },
      { type: 'an.unknown.kind' },
      { type: 'response.created', response: { id: 'r1', metadata: { request: '3' } } },
      { type: 'response.output_item.added', ...place, item: { id: 'i1', type: 'message' } },
      { type: 'response.output_audio.delta', ...place, delta: '////' },
      { type: 'response.output_audio_transcript.delta', ...place, delta: 'Good ' },
      { type: 'response.output_audio_transcript.done', ...place, transcript: 'Good day' },
    ];
    for (const one of sent) server.send(one);
    server.send({
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: 'u1',
      transcript: 'Hi',
      usage: { type: 'duration', seconds: 2 },
    });
    await event('transcribed');
    expect(events).toEqual([
      { type: 'speech_started', itemId: 'u1', atMs: 40 },
      { type: 'speech_stopped', itemId: 'u1', atMs: 900 },
      { type: 'heard', itemId: 'u1', afterItemId: null },
      { type: 'response_begun', responseId: 'r1', request: 3 },
      { type: 'item_begun', responseId: 'r1', itemId: 'i1', kind: 'message' },
      { type: 'audio', responseId: 'r1', itemId: 'i1', payload: '////' },
      { type: 'spoken', responseId: 'r1', itemId: 'i1', text: 'Good ', isWhole: false },
      { type: 'spoken', responseId: 'r1', itemId: 'i1', text: 'Good day', isWhole: true },
      { type: 'transcribed', itemId: 'u1', text: 'Hi', usage: { seconds: 2 } },
    ]);
  });

  test('a response that was cut off tells finished and broken calls apart, and its usage', async () => {
    const { server, event } = await open();
    const call = { type: 'function_call', name: 'handoff', arguments: '{}' };
    server.send({
      type: 'response.done',
      response: {
        id: 'r1',
        status: 'cancelled',
        status_details: { type: 'cancelled', reason: 'client_cancelled' },
        metadata: null,
        output: [
          { type: 'message', role: 'assistant', content: [] },
          { ...call, call_id: 'c1', status: 'completed' },
          { ...call, call_id: 'c2', status: 'incomplete' },
        ],
        usage: {
          total_tokens: 30,
          input_tokens: 20,
          output_tokens: 10,
          input_token_details: { cached_tokens: 4, audio_tokens: 12, text_tokens: 8 },
          output_token_details: { audio_tokens: 9, text_tokens: 1 },
        },
      },
    });
    expect(await event('response_ended')).toEqual({
      type: 'response_ended',
      responseId: 'r1',
      request: undefined,
      status: 'cancelled',
      reason: 'client_cancelled',
      calls: [{ callId: 'c1', name: 'handoff', arguments: '{}' }],
      brokenCallIds: ['c2'],
      usage: {
        promptTokens: 20,
        completionTokens: 10,
        cachedTokens: 4,
        totalTokens: 30,
        audioInputTokens: 12,
        audioOutputTokens: 9,
      },
    });
  });

  test('a refusal names the event that was refused, and quotes nothing', async () => {
    const { server, session, event } = await open();
    const id = session.cancel('r1');
    expect(await server.next('response.cancel')).toMatchObject({ event_id: id, response_id: 'r1' });
    server.send({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        code: 'response_cancel_not_active',
        message: 'No.',
        event_id: id,
      },
    });
    expect(await event('refused')).toEqual({
      type: 'refused',
      code: 'response_cancel_not_active',
      eventId: id,
    });
  });

  test('a failed transcription is an event without a message', async () => {
    const { server, event } = await open();
    server.send({
      type: 'conversation.item.input_audio_transcription.failed',
      item_id: 'u1',
      error: { code: 'audio_unintelligible', message: 'Secret words' },
    });
    expect(await event('not_transcribed')).toEqual({
      type: 'not_transcribed',
      itemId: 'u1',
      code: 'audio_unintelligible',
    });
  });

  test.each([
    [
      '{"type":"response.output_audio.delta","event_id":"e_1","response_id":"r1","item_id":"i1","output_index":0,"content_index":0,"delta":"/w+="}',
    ],
    [
      '{"event_id":"e_1","type":"response.output_audio.delta","response_id":"r1","item_id":"i1","output_index":10,"content_index":1,"delta":"/w+="}',
    ],
    [
      '{"type":"response.output_audio.delta","response_id":"r1","item_id":"i1","output_index":0,"content_index":0,"delta":"/w+="}',
    ],
    ['{"delta":"/w+=","item_id":"i1","response_id":"r1","type":"response.output_audio.delta"}'],
    ['{ "type": "response.output_audio.delta", "response_id": "r1", "item_id": "i1", "delta": "\\/w+=" }'],
    [
      '{"type":"response.output_audio.delta","response_id":"r1","item_id":"i1","output_index":0,"content_index":0,"delta":"/w+=","more":{}}',
    ],
  ])('a frame of sound is read however the server writes it: %s', async (written) => {
    const { server, event } = await open();
    server.socket.send(written);
    expect(await event('audio')).toEqual({ type: 'audio', responseId: 'r1', itemId: 'i1', payload: '/w+=' });
  });

  test('words that look like a frame of sound are words', async () => {
    const { server, events, event } = await open();
    const delta = '{"type":"response.output_audio.delta","delta":"/w+="}';
    server.send({ type: 'response.output_audio_transcript.delta', response_id: 'r1', item_id: 'i1', delta });
    expect(await event('spoken')).toMatchObject({ text: delta });
    expect(events).toHaveLength(1);
  });

  test.each(['{"type": "respon', 'null', '5'])('what is no event is left out: %s', async (written) => {
    const { server, event } = await open();
    server.socket.send(written);
    server.send({ type: 'input_audio_buffer.committed', item_id: 'u1' });
    expect(await event('heard')).toMatchObject({ itemId: 'u1' });
  });
});

describe('what is sent', () => {
  test('each request in its form', async () => {
    const { server, session } = await open();
    session.appendAudio('/w"==');
    session.respond(7, { instructions: 'Say hello.', withTools: false });
    session.truncate('i1', 1_200);
    session.deleteItem('i1');
    session.addToolOutput('c1', '{"ok":true}');
    session.instruct({ instructions: 'Next task.', tools: [] });
    await once(server.socket, 'message');
    while (server.received.length < 10) await once(server.socket, 'message');
    expect(server.received.slice(4)).toMatchObject([
      { type: 'input_audio_buffer.append', audio: '/w"==' },
      {
        type: 'response.create',
        response: { metadata: { request: '7' }, instructions: 'Say hello.', tool_choice: 'none' },
      },
      { type: 'conversation.item.truncate', item_id: 'i1', content_index: 0, audio_end_ms: 1_200 },
      { type: 'conversation.item.delete', item_id: 'i1' },
      {
        type: 'conversation.item.create',
        item: { type: 'function_call_output', call_id: 'c1', output: '{"ok":true}' },
      },
      { type: 'session.update', session: { type: 'realtime', instructions: 'Next task.', tools: [] } },
    ]);
  });

  test('nothing is sent after the end, and nothing fails', async () => {
    const { server, session, event, events } = await open();
    server.socket.close(1001);
    expect(await event('closed')).toEqual({ type: 'closed', code: 'ws_1001' });
    session.appendAudio('////');
    session.respond(1);
    session.close();
    expect(events.filter(({ type }) => type === 'closed')).toHaveLength(1);
  });
});

describe('a session that goes wrong', () => {
  test('a listener that throws ends it, instead of leaving it without messages', async () => {
    let thrown = 0;
    const { server, event } = await open({}, ({ type }) => {
      if (type === 'heard') {
        thrown += 1;
        throw new Error('in the listener');
      }
    });
    server.send({ type: 'input_audio_buffer.committed', item_id: 'u1' });
    expect(await event('closed')).toEqual({ type: 'closed', code: 'listener_failed' });
    expect(thrown).toBe(1);
  });

  test('a server that takes nothing is given up before the memory fills', async () => {
    const { server, session, event } = await open({ maxBufferedBytes: 1_000_000 });
    server.socket.pause();
    let sent = 0;
    // The buffers of the sockets in between take some megabytes.
    while (session.bufferedBytes <= 1_000_000 && sent < 500) {
      session.appendAudio('/'.repeat(200_000));
      sent += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    session.appendAudio('////');
    expect(await event('closed')).toEqual({ type: 'closed', code: 'stalled' });
    expect(sent).toBeLessThan(500);
  });

  test('a server that gives no sign of life is given up', async () => {
    const { server, event } = await open({ pingEveryMs: 30 });
    server.socket.pause();
    expect(await event('closed')).toEqual({ type: 'closed', code: 'unresponsive' });
  });
});
