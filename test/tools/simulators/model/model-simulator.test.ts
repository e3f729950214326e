import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startModelSimulator } from '../../../../tools/simulators/model/start-model-simulator.js';
import type { RunningSimulator } from '../../../../tools/simulators/support/serve.js';
import { ask } from '../simulator-client.js';

let simulator: RunningSimulator;
let client: OpenAI;

beforeEach(async () => {
  simulator = await startModelSimulator({ port: 0 });
  client = new OpenAI({ apiKey: 'test-key', baseURL: `${simulator.url}/v1`, maxRetries: 0, logLevel: 'off' });
});

afterEach(() => simulator.close());

const model = 'simulated-chat';
const script = (body: object) => ask(simulator.url, 'POST', '/script', body);

function complete(text = 'Hello') {
  return client.chat.completions.create({ model, messages: [{ role: 'user', content: text }] });
}

async function said(text?: string): Promise<string | null | undefined> {
  return (await complete(text)).choices[0]?.message.content;
}

test('reports health and lists its models', async () => {
  expect((await ask(simulator.url, 'GET', '/health')).status).toBe(200);
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual([
    'simulated-chat',
    'simulated-realtime',
  ]);
});

describe('the scripts of the model simulator', () => {
  test('are followed in order, and then the model answers by itself', async () => {
    await script({ replies: [{ content: 'First' }, { content: 'Second' }] });
    const own = 'You wrote: Hello. How can I help you?';
    expect([await said(), await said(), await said()]).toEqual(['First', 'Second', own]);
  });

  test('answer only matching requests', async () => {
    await script({ match: { contains: 'chat-7' }, replies: [{ content: 'Scripted' }] });
    expect(await said('from chat-8')).not.toBe('Scripted');
    expect(await said('from chat-7')).toBe('Scripted');
  });

  test('are removed on request', async () => {
    await script({ replies: [{ content: 'Scripted' }] });
    await ask(simulator.url, 'DELETE', '/script');
    expect(await said()).not.toBe('Scripted');
  });

  test('are rejected if they are malformed', async () => {
    const { status, body } = await script({ replies: [{ contents: 'x' }] });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: expect.stringContaining('contents') });
  });

  test('can hold an answer until it is released', async () => {
    await script({ replies: [{ hold: true, content: 'At last' }] });
    const answer = said();
    const recorded = () => ask<{ held: number }>(simulator.url, 'GET', '/requests');
    await expect.poll(async () => (await recorded()).body.held).toBe(1);
    expect((await ask(simulator.url, 'POST', '/release')).body).toEqual({ released: 1 });
    expect(await answer).toBe('At last');
  });
});

test('records requests and searches them by content', async () => {
  await complete('the one');
  await complete('the other');

  const all = await ask(simulator.url, 'GET', '/requests');
  const some = await ask(simulator.url, 'GET', '/requests?contains=other');
  expect(all.body).toMatchObject({ count: 2 });
  const other = { body: { messages: [{ content: 'the other' }] } };
  expect(some.body).toMatchObject({ count: 1, requests: [other] });
});

test('fails at the configured rate, with the same results for the same seed', async () => {
  const run = async (): Promise<boolean[]> => {
    await ask(simulator.url, 'POST', '/knobs', { failRate: 0.5, failStatus: 503, seed: 7 });
    const outcomes: boolean[] = [];
    const succeeds = () => complete().then(Boolean, () => false);
    for (let index = 0; index < 12; index += 1) outcomes.push(await succeeds());
    return outcomes;
  };

  const first = await run();
  expect(await run()).toEqual(first);
  expect(new Set(first)).toEqual(new Set([true, false]));
  await ask(simulator.url, 'DELETE', '/knobs');
  await expect(complete()).resolves.toBeDefined();
});

test('schedules a follow-up first in each turn, if configured and offered', async () => {
  await ask(simulator.url, 'POST', '/knobs', { followUpRate: 1 });
  const turn: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Hello' }];
  const next = async (name: string) => {
    const parameters = { type: 'object', properties: {} };
    const tools = [{ type: 'function' as const, function: { name, parameters } }];
    const { choices } = await client.chat.completions.create({ model, messages: turn, tools });
    return choices[0]?.message;
  };

  expect((await next('handoff'))?.tool_calls).toBeUndefined();
  const first = await next('schedule_follow_up');
  const [call] = first?.tool_calls ?? [];
  expect(call).toMatchObject({ function: { name: 'schedule_follow_up' } });
  if (first === undefined || call === undefined) return;
  turn.push(first, { role: 'tool', tool_call_id: call.id, content: '{"ok":true}' });
  expect((await next('schedule_follow_up'))?.tool_calls).toBeUndefined();
  turn.push({ role: 'assistant', content: 'Hello.' }, { role: 'user', content: 'Hello again' });
  expect((await next('schedule_follow_up'))?.tool_calls).toHaveLength(1);
});

test('streams the usage last on request', async () => {
  const stream = await client.chat.completions.create({
    model,
    messages: [{ role: 'user', content: 'Hello' }],
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);

  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
  expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
});

describe('the request validation of the model simulator', () => {
  const call = { id: 'call_1', type: 'function' as const, function: { name: 'x', arguments: '{}' } };
  const asks = { role: 'user', content: 'Hi' } as const;
  const calls: OpenAI.ChatCompletionMessageParam = { role: 'assistant', tool_calls: [call] };
  const misnamed = { type: 'function', function: { name: 'a b' } };

  test.each<[string, OpenAI.ChatCompletionMessageParam[], object]>([
    ['no messages', [], {}],
    ['an empty list of tools', [asks], { tools: [] }],
    ['a result without its call', [{ role: 'tool', tool_call_id: 'call_1', content: '' }], {}],
    ['a call without its result', [calls, asks], {}],
    ['a last call without its result', [calls], {}],
    ['a bad name of a tool', [asks], { tools: [misnamed] }],
  ])('rejects %s like the real service', async (_, messages, more) => {
    const completion = client.chat.completions.create({ model, messages, ...more });
    await expect(completion).rejects.toMatchObject({ status: 400, type: 'invalid_request_error' });
  });

  test('rejects a missing key', async () => {
    const response = await fetch(`${simulator.url}/v1/chat/completions`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
  });
});
