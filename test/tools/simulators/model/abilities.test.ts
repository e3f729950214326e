import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { AllowedTool } from '../../../../db/definitions/mcp-tools.js';
import { offerTools } from '../../../../domain/agent/offer-tools.js';
import { parseToolArguments } from '../../../../domain/agent/tool-calls/parse-arguments.js';
import type { OfferedTool } from '../../../../domain/agent/tools/tool.js';
import { type AbilityType, abilityTypes } from '../../../../domain/kernel/abilities.js';
import { simulatedTools } from '../../../../tools/simulators/mcp-server/tools.js';
import type { Tool } from '../../../../tools/simulators/model/protocol.js';
import { abilities } from '../../../../tools/simulators/model/walk/abilities.js';
import { toolSituation } from '../../../domain/agent/tools/tool-situation.js';
import { Conversation, plainTool } from './conversation.js';

const request = {
  name: 'find_times',
  description: 'Finds free times on a day.',
  method: 'GET',
  url: 'https://api.example.com/v1/days/{day}/times',
  parameters: {
    type: 'object',
    properties: { day: { type: 'string', description: 'YYYY-MM-DD', maxLength: 10 } },
    required: ['day'],
  },
};
const configs: Partial<Record<AbilityType, Record<string, unknown>>> = {
  save_data: { dataTypeSlug: 'intake' },
  http_request: { requests: [request] },
  forward_call: { targets: [{ name: 'front_desk', phoneNumber: '+15550100110' }] },
};
const intake = { slug: 'intake', name: 'Intake', fields: [reason()] };

function reason() {
  return { slug: 'reason', name: 'Reason for the visit', fieldType: 'text' as const };
}

/** What a model is offered in a task with this ability alone. */
function toolsOf(abilityType: AbilityType): OfferedTool[] {
  const abilities = [{ abilityType, config: configs[abilityType] ?? {} }];
  const situation = toolSituation(
    { name: 'Help', abilities },
    {
      dataTypes: [intake],
      files: [{ id: 7, title: 'Aftercare', mimeType: 'application/pdf' }],
      remoteTools: abilityType === 'mcp_tools' ? remoteTools : [],
      mayPropose: true,
      mayEmail: true,
      onCall: abilityType === 'forward_call' || abilityType === 'end_call',
    },
  );
  return offerTools(situation);
}

const remoteTools = simulatedTools.map(({ name, description, inputSchema }): AllowedTool => {
  const approved = { approval: 'none', isReadOnly: false, isIdempotent: false } as const;
  return { ...approved, server: 'orders', serverId: 1, tool: name, description, inputSchema };
});

const asked = (tools: Tool[]) =>
  new Conversation().task('Help', 'Say "How can I help?"', tools).assistant('How can I help?');

describe('the simulated model and the abilities', () => {
  test('there is a row for each, and none for another', () => {
    expect(Object.keys(abilities).sort()).toEqual([...abilityTypes].sort());
  });

  test.each(abilityTypes)('%s is called by what its row says that a member writes', (abilityType) => {
    const offered = toolsOf(abilityType);
    const next = asked(offered)
      .user(abilities[abilityType]?.example ?? '')
      .next();
    const [name, args] = next as [string, unknown];
    const tool = offered.find((one) => one.name === name);
    expect(tool, `${JSON.stringify(next)} is a call`).toBeDefined();
    expect(tool && parseToolArguments(tool, JSON.stringify(args))).toMatchObject({ ok: true });
    expect(['http_request', 'mcp_tools'].includes(abilityType) || name === abilityType).toBe(true);
  });

  test('each example is in the guide', () => {
    const guide = readFileSync('tools/simulators/README.md', 'utf8');
    const missing = Object.values(abilities).filter(({ example }) => !guide.includes(`\`${example}\``));
    expect(missing).toEqual([]);
  });
});

describe('the simulated model that is asked for a tool by its name in words', () => {
  const text = (more: object = {}) => ({ type: 'string', ...more });
  const findTimes = plainTool('find_times', { day: text({ description: 'YYYY-MM-DD', maxLength: 10 }) });
  const cancelOrder = plainTool('orders__cancelOrder', { order: text({ maxLength: 20 }), reason: text() });
  const bookRoom = plainTool('book_room', {
    people: { type: 'integer', minimum: 1 },
    size: { enum: ['small', 'large'] },
    quiet: { type: 'boolean' },
    tags: { type: 'array', items: text() },
    address: { type: 'object', properties: { city: text() }, required: ['city'] },
  });

  test.each([
    ['a day, in any form', findTimes, 'Please find a time on 12 March 2030', { day: '2030-03-12' }],
    [
      'what cannot be read, cut to its length',
      findTimes,
      'Find times in early summer',
      { day: 'early summ' },
    ],
    [
      'a number behind the name of the argument, and the rest',
      cancelOrder,
      'Cancel my order A-17, reason: too late',
      { order: 'A-17', reason: 'too late' },
    ],
    [
      'values of other types, and the smallest where nothing is said',
      bookRoom,
      'Book a large room, city: Aachen',
      { people: 1, size: 'large', quiet: true, tags: ['city: Aachen'], address: { city: 'Aachen' } },
    ],
  ] as const)('gives it %s', (_, offered, words, args) => {
    const [, given] = asked([offered]).user(words).next() as [string, unknown];
    expect(given).toEqual(args);
  });

  test('calls nothing if a word of the name is missing', () => {
    expect(asked([findTimes]).user('Which times are there').next()).not.toEqual(expect.any(Array));
  });
});

describe('the simulated model that has the result of such a call', () => {
  const args = { day: '2030-03-12' };
  const called = (result: object) =>
    asked([plainTool('find_times')])
      .user('Find times on 2030-03-12')
      .toolResult('find_times', args, result);

  test('says what was found, and asks its question again', () => {
    const found = { ok: true, status: 200, note: 'Data.', body: { times: ['9:00', '10:30'], total: 2 } };
    expect(called(found).next()).toBe('Find times says: times: 9:00, 10:30, total: 2. How can I help?');
  });

  test('reads an answer that is JSON in a text', () => {
    const found = { ok: true, note: 'Data.', answer: '{"order":"A-17","status":"on its way"}' };
    expect(called(found).next()).toBe('Find times says: order: A-17, status: on its way. How can I help?');
  });

  test('says that it is done where nothing came back', () => {
    expect(called({ ok: true }).next()).toBe('Done: find times. How can I help?');
  });

  test('says why it failed', () => {
    const failed = { ok: false, error: 'request_failed', status: 503 };
    expect(called(failed).next()).toBe('Find times failed: request failed, status: 503. How can I help?');
  });

  test('says it after an approval, also if it has talked meanwhile', () => {
    const approved = called({ ok: true }).user('Well?').assistant('How can I help?');
    approved.note('The call of the tool find_times was approved: see its result.');
    expect(approved.next()).toBe('Done: find times. How can I help?');
  });

  test('says nothing of a call that only its prompt has asked for', () => {
    const talk = asked([plainTool('find_times')]).toolResult('find_times', args, { ok: true });
    expect(talk.next()).toBe('How can I help?');
  });
});
