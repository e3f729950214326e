import { describe, expect, it } from 'vitest';
import { checkPublishable } from '../../../../domain/definitions/revision-rules/check-publishable.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { clinicIntake, intakeDataType } from '../../../../tools/dev/seed/clinic-intake.js';
import { processorMs } from '../../../support/lib/processor-ms.js';
import { done, hello, pointersOf, surroundings, talk, task, waitFor, warningsOf } from './publishing.js';

describe('checkPublishable', () => {
  describe('expressions', () => {
    /** What is found in the guard of a task beside "Ask", a wait with a limit and two tasks named "Twice". */
    function found(celGuard: string) {
      const leads = { autoNext: true };
      const children: RevisionTask[] = [
        { name: 'Ask', taskType: 'conversation', ...leads },
        { name: 'Talk', taskType: 'conversation', abilities: [{ abilityType: 'conclude' }] },
        { name: 'Wait', taskType: 'wait', configuration: { event: 'chat:replied', atMost: 'P1D' }, ...leads },
        { name: 'Twice', taskType: 'handoff', ...leads },
        { name: 'Twice', taskType: 'handoff', ...leads },
        { name: 'Guarded', taskType: 'handoff', celGuard, ...leads },
      ];
      const { errors, warnings } = checkPublishable(
        [{ name: 'Root', taskType: 'conversation', children }],
        surroundings,
      );
      return {
        errors: errors.map(({ message }) => message.replace('Task "Guarded": celGuard ', '')),
        warnings: warnings.filter(({ task }) => task === 'Guarded').map(({ code }) => code),
      };
    }

    it.each([
      ['"Asc" in tasks.visited', 'names the task "Asc", which does not exist; did you mean "Ask"?'],
      [
        'tasks.current == "Nothing like it"',
        'names the task "Nothing like it", which does not exist; known: Root, Ask, Talk, Wait, Twice, Guarded',
      ],
      ['"Twice" in tasks.visited', 'names the task "Twice", but 2 tasks have this name: rename all but one'],
      ['member.nmae == "x"', 'names member.nmae, which does not exist; did you mean "name"?'],
      [
        'chat.channel == "sms"',
        'compares chat.channel with "sms", which it never is; known: web-chat, phone-sms, phone-voice, email',
      ],
      [
        'member.form_data.intke.age > 17',
        'names the data type intke, which does not exist; did you mean "intake"?',
      ],
      [
        'member.form_data.intake.agge > 17',
        'names the field agge, which intake does not have; did you mean "age"?',
      ],
      [
        'has(member.form_data.visits)',
        'names member.form_data.visits, but visits is a collection: member.data.visits is a list',
      ],
      [
        'size(member.data.intake) > 0',
        'names member.data.intake, but intake is no collection: member.form_data.intake',
      ],
      [
        'now > timestamp("tomorrow")',
        'names timestamp("tomorrow"), which is no timestamp such as "2030-01-31T10:00:00Z"',
      ],
      [
        'now - assignment.created_at > duration("P1D")',
        'names duration("P1D"), which is no duration such as "1h30m"',
      ],
    ])('refuses %s', (guard, message) => {
      expect(found(guard)).toEqual({ errors: [message], warnings: [] });
    });

    it.each([
      ['"Talk" in tasks.completed', ['never_listed']],
      ['"Ask" in tasks.timed_out', ['never_listed']],
      ['"vipp" in member.labels', ['unknown_label']],
      ['member.form_data.intake.age == "18"', ['type_mismatch']],
      ['member.form_data.intake.name == 18', ['type_mismatch']],
      ['member.form_data.intake.topics == "sleep"', ['type_mismatch']],
      ['"a" in member.form_data.intake.name', ['type_mismatch']],
      ['member.form_data.intake.scan == "scan.pdf"', ['type_mismatch']],
      ['member.form_data.intake.photos == 7', ['type_mismatch']],
      ['"scan.pdf" in member.form_data.intake.photos', ['type_mismatch']],
      ['member.form_data.intake.due > now', ['type_mismatch']],
      ['timestamp("2030-01-31T10:00:00Z") <= member.form_data.intake.due', ['type_mismatch']],
      ['member.form_data.intake.call_at == assignment.created_at', ['type_mismatch']],
      ['member.form_data.intake.name < now - duration("24h")', ['type_mismatch']],
      ['now - assignment.created_at > member.form_data.intake.age', ['type_mismatch']],
      ['now - member.form_data.intake.due > duration("24h")', ['type_mismatch']],
      ['member.form_data.intake.due + duration("24h") < now', ['type_mismatch']],
      ['member.data.visits.exists(v, v.day < now)', ['type_mismatch']],
      ['assignment.created_at > "2030-01-31"', ['type_mismatch']],
      ['member.name > now || chat.message_count > "3"', ['type_mismatch', 'type_mismatch']],
      ['member.form_data.intake.mood == "sad"', ['unknown_option']],
      ['"drink" in member.form_data.intake.topics', ['unknown_option']],
    ])('warns of %s', (guard, warnings) => {
      expect(found(guard)).toEqual({ errors: [], warnings });
    });

    it.each([
      '"Ask" in tasks.completed && "Wait" in tasks.timed_out && tasks.current != "Talk"',
      '"vip" in member.labels && chat.channel == "web-chat"',
      'now > timestamp("2030-01-31T10:00:00Z") + duration("36h") || timestamp(member.locale) < now',
      'member.form_data.intake.age > 17.5 && member.form_data.intake.name != null',
      'member.form_data.intake.mood in ["good", "bad", ""] && "sleep" in member.form_data.intake.topics',
      'member.form_data.intake.extra == "x" && member.form_data.intake.extra.deep == 1',
      'timestamp(member.form_data.intake.due + "T00:00:00Z") + duration("24h") > now',
      'now - timestamp(member.form_data.intake.call_at) > duration("24h")',
      'member.form_data.intake.due >= "2030-01-31" && assignment.created_at != null',
      'now - assignment.created_at > duration("48h") && member.name != null && chat.message_count > 3',
      'member.data.visits.exists(v, v.day > "2030" || timestamp(v.day + "T00:00:00Z") > now)',
      '7 in member.form_data.intake.photos && member.form_data.intake.scan != 8',
      'member.data.visits.exists(v, v.place == "Town") && member.partial_data == ["visits"]',
    ])('accepts %s', (guard) => {
      expect(found(guard)).toEqual({ errors: [], warnings: [] });
    });

    it('says how a date is read, also in a template', () => {
      const outcomeReason = '{{ member.form_data.intake.due > now ? "late" : "in time" }}';
      const { warnings } = checkPublishable([{ ...done, configuration: { outcomeReason } }], surroundings);
      expect(warnings.map(({ code, message }) => [code, message])).toEqual([
        [
          'type_mismatch',
          'Task "Done": configuration.outcomeReason compares due with a timestamp, but its value is a text; timestamp(… + "T00:00:00Z") reads it',
        ],
      ]);
    });

    it('names the field of a template', () => {
      const root = { ...done, configuration: { outcomeReason: '{{ member.nmae }}' } };
      expect(pointersOf(root)).toEqual(['/tasks/0/configuration/outcomeReason']);
    });

    it('stops at as many errors as an answer tells', () => {
      const texts = Array.from({ length: 400 }, (_, at) => `"Tusk ${at}" in tasks.visited`);
      const children = texts.map((celGuard, at) => ({ ...done, name: `Task ${at}`, celGuard }));
      expect(processorMs(() => expect(pointersOf({ ...talk, children })).toHaveLength(100))).toBeLessThan(
        2_000,
      );
    });
  });

  it('warns of a name that another task has', () => {
    expect(warningsOf({ ...talk, children: [done, { ...done }] })).toEqual([
      'duplicate_name /tasks/0/children/1/name',
    ]);
  });

  it.each([
    ['2020-01-01T00:00:00Z', 'moment_passed'],
    ['2040-01-01', 'moment_too_far'],
  ])('warns of a wait until %s', (until, code) => {
    expect(warningsOf(task('wait', { autoNext: true, configuration: { until } }))).toEqual([
      `${code} /tasks/0/configuration/until`,
    ]);
  });

  it('finds nothing in the workflow of the demo', () => {
    const { slug, isCollection = false, fields } = intakeDataType;
    const findings = checkPublishable([clinicIntake], {
      ...surroundings,
      dataTypes: [{ slug, isCollection, fields }],
    });
    expect(findings).toEqual({ errors: [], warnings: [] });
  });

  // Each was once published and stood for good.
  it.each<[string, RevisionTask, string[], string[]]>([
    ['a message without autoNext', hello({ children: [done] }), [], ['waits_for_member']],
    ['a message alone', hello(), ['/tasks/0'], []],
    [
      'a wait beside its successor',
      hello({ autoNext: true, children: [waitFor({ for: 'PT1S' }), done] }),
      ['/tasks/0/children/0'],
      ['unreachable'],
    ],
    ['a wait for the past', waitFor({ until: '2020-01-01T00:00:00Z' }), ['/tasks/0'], ['moment_passed']],
    [
      'a wait for a word',
      { ...waitFor({ until: "'tomorrow'" }), autoNext: true },
      ['/tasks/0/configuration/until'],
      [],
    ],
    [
      'a required task whose guard has a typing error',
      hello({ autoNext: true, children: [{ ...done, required: true, celGuard: "'Asc' in tasks.visited" }] }),
      ['/tasks/0/children/0/celGuard'],
      [],
    ],
    [
      'a guard that names one of two tasks',
      hello({
        autoNext: true,
        children: [
          hello({ name: 'Ask', autoNext: true }),
          hello({ name: 'Ask', autoNext: true }),
          { ...done, celGuard: "'Ask' in tasks.visited" },
        ],
      }),
      ['/tasks/0/children/2/celGuard'],
      ['duplicate_name'],
    ],
  ])('does not publish in silence: %s', (_title, root, pointers, codes) => {
    const { errors, warnings } = checkPublishable([root], surroundings);
    expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
    expect(warnings.map(({ code }) => code)).toEqual(codes);
  });
});
