import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type ChatModelRequest,
  ModelBusy,
  ModelRefused,
  ModelUnusable,
} from '../../../providers/model/chat-model.js';
import { OpenAiChatModel } from '../../../providers/model/openai-chat-model.js';
import { startModelSimulator } from '../../../tools/simulators/model/start-model-simulator.js';
import type { RunningSimulator } from '../../../tools/simulators/support/serve.js';
import { makeSelfSigned } from '../../support/webhooks/self-signed.js';
import { ask } from '../../tools/simulators/simulator-client.js';
import { closedPort, startAnswering, startServer } from '../misbehaving-server.js';
import { startTlsReceiver } from '../webhook/receivers.js';

let simulator: RunningSimulator;
let model: OpenAiChatModel;

beforeEach(async () => {
  simulator = await startModelSimulator({ port: 0 });
  model = modelAt(simulator.url);
});

afterEach(() => simulator.close());

function modelAt(url: string, timeoutMs = 90_000): OpenAiChatModel {
  return new OpenAiChatModel({ apiKey: 'test-key', baseUrl: `${url}/v1`, timeoutMs });
}

const request: ChatModelRequest = {
  model: 'simulated-chat',
  messages: [
    { role: 'system', content: '## Current task: Greeting\nSay "Good morning."' },
    { role: 'user', content: 'A private remark' },
  ],
  tools: [],
};

const tool = {
  name: 'complete_task',
  description: 'The task is done.',
  parameters: { type: 'object', properties: {} },
};

const script = (...replies: unknown[]) => ask(simulator.url, 'POST', '/script', { replies });

async function recorded() {
  type Recorded = { held: number; requests: { body: Record<string, unknown> }[] };
  return (await ask<Recorded>(simulator.url, 'GET', '/requests')).body;
}

const lastRequest = async () => (await recorded()).requests.at(-1)?.body;

/** A server whose answer has this message. */
const startChoosing = (message: object, finish_reason = 'stop') =>
  startAnswering(200, JSON.stringify({ model: 'm', choices: [{ finish_reason, message }] }));

const streamed = { onToken: () => undefined };
const failureAt = (url: string, more: object = {}, timeoutMs?: number): Promise<unknown> =>
  modelAt(url, timeoutMs)
    .complete({ ...request, ...more })
    .catch((error: unknown) => error);

describe('complete', () => {
  test('returns text, with its usage and model', async () => {
    const answer = await model.complete(request);

    expect(answer).toEqual({
      content: 'Good morning.',
      toolCalls: [],
      usage: { promptTokens: 23, completionTokens: 4, cachedTokens: 0, totalTokens: 27 },
      model: 'simulated-chat',
    });
  });

  test('reports cached tokens', async () => {
    const long = { role: 'system' as const, content: 'Be kind. '.repeat(200) };
    const { usage } = await model.complete({ ...request, messages: [long, ...request.messages] });
    expect(usage.cachedTokens).toBe(384);
  });

  test.each([false, true])('returns tool calls (streamed: %s)', async (isStreamed) => {
    await script({
      content: 'One moment.',
      toolCalls: [
        { name: 'complete_task', arguments: { note: 'é'.repeat(40) } },
        { name: 'second', arguments: '{not json' },
      ],
    });

    const answer = await model.complete({ ...request, tools: [tool], ...(isStreamed && streamed) });

    expect(answer.content).toBe('One moment.');
    const id = expect.stringMatching(/^call_\w+$/);
    expect(answer.toolCalls).toEqual([
      { id, name: 'complete_task', arguments: `{"note":"${'é'.repeat(40)}"}` },
      { id, name: 'second', arguments: '{not json' },
    ]);
  });

  test('returns the same answer streamed as in one piece', async () => {
    const pieces: string[] = [];
    const answer = await model.complete({ ...request, onToken: (piece) => pieces.push(piece) });
    expect(pieces).toEqual(['Good ', 'morning.']);
    expect(answer).toEqual(await model.complete(request));
  });

  test('returns a usage of zero when the server reports none', async () => {
    const url = await startChoosing({ content: 'Hi' });
    expect((await modelAt(url).complete(request)).usage.totalTokens).toBe(0);
  });

  test('returns a refusal in words as an answer', async () => {
    const url = await startChoosing({ content: null, refusal: 'I must not.' });
    expect((await modelAt(url).complete(request)).content).toBe('I must not.');
  });
});

describe('the request of complete', () => {
  test('contains messages, tools and configuration in the format of the protocol', async () => {
    await model.complete({
      model: 'simulated-chat',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: [{ type: 'text', text: 'Done' }] },
        {
          role: 'assistant',
          content: null,
          toolCalls: [{ id: 'call_1', name: 'complete_task', arguments: '{}' }],
        },
        { role: 'tool', toolCallId: 'call_1', content: '{"ok":true}' },
        { role: 'assistant', content: 'Good.' },
      ],
      tools: [tool],
      config: { temperature: 0.2, stream: true, model: 'another' },
    });

    expect(await lastRequest()).toEqual({
      model: 'simulated-chat',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: [{ type: 'text', text: 'Done' }] },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'complete_task', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '{"ok":true}' },
        { role: 'assistant', content: 'Good.' },
      ],
      tools: [{ type: 'function', function: tool }],
      temperature: 0.2,
      stream: false,
    });
  });

  test('omits the tools when there are none, because an empty list is invalid', async () => {
    await model.complete(request);
    expect(await lastRequest()).not.toHaveProperty('tools');
  });
});

describe('complete while the provider is busy or away', () => {
  test.each([408, 409, 429, 500, 503])(
    'fails as busy on status %d, with the requested delay',
    async (status) => {
      await script({ status, headers: { 'retry-after': '3' } });
      const error = await failureAt(simulator.url);
      expect(error).toBeInstanceOf(ModelBusy);
      expect(error).toMatchObject({ code: `http_${status}`, retryAfterMs: 3_000 });
    },
  );

  test('fails at once, because the package does not retry by itself', async () => {
    await script({ status: 500 });
    expect(await failureAt(simulator.url)).toBeInstanceOf(ModelBusy);
    await expect(model.complete(request)).resolves.toMatchObject({ content: 'Good morning.' });
  });

  const scripted = (reply: object) => async () => {
    await script(reply);
    return simulator.url;
  };
  const startStreaming = (data: string) => startAnswering(200, `data: ${data}\n\n`, 'text/event-stream');
  test.each([
    { what: 'a dropped connection', url: scripted({ error: 'drop' }), code: 'connection_lost' },
    {
      what: 'a stream that breaks off',
      url: scripted({ content: 'One two three four.', error: 'drop_midway' }),
      more: streamed,
      code: expect.any(String),
    },
    {
      what: 'an answer that does not come in time',
      url: scripted({ hold: true }),
      timeoutMs: 50,
      code: 'timeout',
    },
    {
      what: 'a stream that ends without its end marker',
      url: () =>
        startStreaming('{"model":"m","choices":[{"delta":{"content":"Half"},"finish_reason":null}]}'),
      more: streamed,
      code: 'incomplete_stream',
    },
    {
      what: 'an error in the stream',
      url: () => startStreaming('{"error":{"message":"overloaded","code":"overloaded"}}'),
      more: streamed,
      code: 'overloaded',
    },
    {
      what: 'a refused connection',
      url: async () => `http://127.0.0.1:${await closedPort()}`,
      code: 'connection',
    },
    {
      what: 'a certificate that is not accepted',
      url: async () => {
        const port = await startTlsReceiver(makeSelfSigned(['localhost']), (_, response) => response.end());
        return `https://localhost:${port}`;
      },
      code: 'connection',
    },
    {
      what: 'an answer whose body does not end in time',
      url: () =>
        startServer((_, response) =>
          response.writeHead(200, { 'content-type': 'application/json' }).write('{"model":'),
        ),
      timeoutMs: 100,
      code: 'timeout',
    },
    {
      what: 'an answer that is no JSON',
      url: () => startAnswering(200, '<html>'),
      code: 'unreadable_answer',
    },
  ])('fails as busy on $what', async ({ url, more, timeoutMs, code }) => {
    expect(await failureAt(await url(), more, timeoutMs)).toMatchObject({ name: 'ModelBusy', code });
  });
});

describe('complete with a provider that refuses', () => {
  test.each([
    { what: 'code context_length_exceeded', status: 400, error: 'context_length_exceeded' },
    { what: 'code unsupported_value', status: 422, error: 'unsupported_value' },
    { what: 'no code, which the status names', status: 422, code: 'http_422' },
    {
      what: 'a sentence for a code, which the status names',
      status: 400,
      error: 'A private remark is not allowed',
      code: 'http_400',
    },
  ])('fails as refused on status $status with $what', async ({ status, error, code = error }) => {
    await script({ status, ...(error === undefined ? {} : { error }) });
    const refusal = await failureAt(simulator.url);
    expect(refusal).toBeInstanceOf(ModelRefused);
    expect(refusal).toMatchObject({ code, status });
  });

  test.each([
    [401, 'invalid_api_key', true],
    [402, undefined, true],
    [403, undefined, true],
    [404, undefined, true],
    [404, 'model_not_found', false],
    [403, 'model_not_found', false],
    [429, 'insufficient_quota', true],
    [400, 'billing_hard_limit_reached', true],
  ])(
    'fails as unusable on status %d with code %s (the whole account: %s)',
    async (status, code, wholeAccount) => {
      await script({ status, ...(code === undefined ? {} : { error: code }) });
      const error = await failureAt(simulator.url);
      expect(error).toBeInstanceOf(ModelUnusable);
      expect(error).toMatchObject({ code: code ?? `http_${status}`, details: { wholeAccount } });
    },
  );

  test('fails as refused on an answer that a content filter stopped', async () => {
    const url = await startChoosing({ content: 'Par' }, 'content_filter');
    expect(await failureAt(url)).toMatchObject({ name: 'ModelRefused', code: 'content_filter' });
  });

  test('never quotes the conversation in an error', async () => {
    const body = '{"error":{"message":"A private remark is not allowed","code":null}}';
    const url = await startAnswering(400, body);
    const error = await failureAt(url);
    expect(error).toBeInstanceOf(Error);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('private');
  });
});

describe('complete with an abort signal', () => {
  test.each([false, true])('rejects with the reason of the signal (streamed: %s)', async (isStreamed) => {
    await script({ hold: true });
    const controller = new AbortController();
    const reason = new Error('cancelled by an operator');

    const call = model.complete({ ...request, signal: controller.signal, ...(isStreamed && streamed) });
    const outcome = expect(call).rejects.toBe(reason);
    await expect.poll(async () => (await recorded()).held).toBe(1);
    controller.abort(reason);

    await outcome;
    await expect.poll(async () => (await recorded()).held).toBe(0);
  });

  test('sends no request when the signal was aborted before', async () => {
    const reason = new Error('too late');
    expect(await failureAt(simulator.url, { signal: AbortSignal.abort(reason) })).toBe(reason);
    expect(await lastRequest()).toBeUndefined();
  });
});
