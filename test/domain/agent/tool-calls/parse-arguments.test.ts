import { describe, expect, it } from 'vitest';
import { offerTools } from '../../../../domain/agent/offer-tools.js';
import type { ToolSituation } from '../../../../domain/agent/situation.js';
import { parseToolArguments } from '../../../../domain/agent/tool-calls/parse-arguments.js';
import type { OfferedTool } from '../../../../domain/agent/tools/tool.js';
import type { FieldDefinition } from '../../../../domain/records/field-values.js';
import { processorMs } from '../../../support/lib/processor-ms.js';
import type { Sketch } from '../../definitions/task-tree/tasks.js';
import { toolSituation } from '../tools/tool-situation.js';

function offered(sketch: Sketch, given: Partial<ToolSituation> = {}): OfferedTool {
  const [tool] = offerTools(toolSituation(sketch, given));
  if (!tool) throw new Error('no tool is offered');
  return tool;
}

const abilityTool = (abilityType: string) => offered({ name: 'root', abilities: [{ abilityType }] });
const selectTask = (uuid: string) => offered({ name: 'root' }, { choices: [{ uuid, text: 'x' }] });
const saveData = (fields: FieldDefinition[], missing: FieldDefinition[]) =>
  offered(
    { name: 'root', taskType: 'collect' },
    { collects: { dataType: { name: 'Intake' }, fields, missing } },
  );
const select = selectTask('uuid-a');
const completeTask = offered({ name: 'root', autoNext: true });
const age: FieldDefinition = { slug: 'age', name: 'Age', fieldType: 'integer', required: true, min: 0 };
const birthday: FieldDefinition = { slug: 'birthday', name: 'Birthday', fieldType: 'date' };
const save = saveData([age, birthday], [age]);

describe('parseToolArguments', () => {
  it.each<[string, OfferedTool, string, string]>([
    ['what is no JSON', select, '{"task":', ''],
    ['what is no object', select, '["uuid-a"]', ''],
    ['null', select, 'null', ''],
    ['nothing where something is needed', select, '', '/task'],
    ['a task that was not offered', select, '{"task":"uuid-b"}', '/task'],
    ['an argument that does not exist', select, '{"task":"uuid-a","why":"x"}', '/why'],
    ['a value of another type', save, '{"age":"old"}', '/age'],
    ['a value out of bounds', save, '{"age":-1}', '/age'],
    ['a day that does not exist', save, '{"birthday":"2030-02-30"}', '/birthday'],
    ['saving nothing', save, '{}', ''],
    ['a field that the task does not have', save, '{"shoe":42}', '/shoe'],
    ['no file', abilityTool('send_files'), '{"files":[],"text":"See"}', '/files'],
    ['a file twice', abilityTool('send_files'), '{"files":[1,1],"text":"See"}', '/files'],
    ['an id that is none', abilityTool('send_files'), '{"files":["1"],"text":"See"}', '/files/0'],
    ['a long text message', abilityTool('send_sms'), `{"text":"${'x'.repeat(1_601)}"}`, '/text'],
    [
      'a follow-up at no time',
      abilityTool('schedule_follow_up'),
      '{"after":"soon","instructions":"x"}',
      '/after',
    ],
    [
      'a follow-up in the past',
      abilityTool('schedule_follow_up'),
      '{"after":"-P1D","instructions":"x"}',
      '/after',
    ],
    ['a handoff without a reason', abilityTool('handoff'), '{}', '/reason'],
    ['a conclusion without an outcome', abilityTool('conclude'), '{"outcomeReason":"x"}', '/outcome'],
  ])('rejects %s', (_title, tool, json, pointer) => {
    expect(parseToolArguments(tool, json)).toMatchObject({ ok: false, errors: [{ pointer }] });
  });

  it('rejects very long arguments', () => {
    expect(parseToolArguments(save, `{"age":${' '.repeat(100_000)}1}`)).toMatchObject({ ok: false });
  });
});

describe('parseToolArguments with valid arguments', () => {
  it.each<[string, OfferedTool, string, unknown]>([
    ['an offered task', select, '{"task":"uuid-a"}', { task: 'uuid-a' }],
    ['no arguments where none are needed', completeTask, '', {}],
    ['a part of what is missing', save, '{"birthday":"2007-05-04"}', { birthday: '2007-05-04' }],
    [
      'a follow-up',
      abilityTool('schedule_follow_up'),
      '{"after":"P1D","instructions":"Ask again"}',
      { after: 'P1D', instructions: 'Ask again' },
    ],
  ])('accepts %s', (_title, tool, json, value) => {
    expect(parseToolArguments(tool, json)).toEqual({ ok: true, value });
  });

  it('accepts the arguments of more tools than it keeps compiled', () => {
    for (let count = 0; count < 250; count += 1) {
      const tool = selectTask(`uuid-${count}`);
      expect(parseToolArguments(tool, `{"task":"uuid-${count}"}`)).toMatchObject({ ok: true });
    }
    expect(parseToolArguments(select, '{"task":"uuid-a"}')).toMatchObject({ ok: true });
  });
});

describe('parseToolArguments with long arguments', () => {
  const code: FieldDefinition = { slug: 'code', name: 'Code', fieldType: 'text', pattern: 'a*a*a{0,100}b' };
  const saveCode = saveData([code], []);
  const argumentsOf = (length: number) => JSON.stringify({ code: 'a'.repeat(length) });

  it('rejects them before it runs a pattern on them', () => {
    let parsed: unknown;

    const time = processorMs(() => {
      parsed = parseToolArguments(saveCode, argumentsOf(20_000));
    });

    expect(time).toBeLessThan(500);
    expect(parsed).toEqual({
      ok: false,
      errors: [{ pointer: '/code', message: 'must NOT have more than 1000 characters' }],
    });
  });

  it('rejects them as a whole beyond 64 KiB', () => {
    expect(parseToolArguments(saveCode, argumentsOf(70_000))).toEqual({
      ok: false,
      errors: [{ pointer: '', message: 'The arguments must have at most 65536 characters' }],
    });
  });
});
