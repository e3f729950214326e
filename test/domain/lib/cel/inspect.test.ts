import { describe, expect, it } from 'vitest';
import { celVariables, inspectExpression } from '../../../../domain/lib/cel.js';

describe('inspectExpression', () => {
  it.each([
    ['member.nmae == "x"', 'member.nmae', 'member', 'nmae', 7, Object.keys(celVariables.member.fields)],
    ['member["nmae"] == "x"', 'member.nmae', 'member', 'nmae', 7, Object.keys(celVariables.member.fields)],
    ['has(tasks.all)', 'tasks.all', 'tasks', 'all', 10, Object.keys(celVariables.tasks.fields)],
    ['chat.channel.name == ""', 'chat.channel.name', 'chat.channel', 'name', 13, []],
    ['member.labels.exists(l, l.slug == "vip")', 'member.labels[].slug', 'member.labels[]', 'slug', 26, []],
    ['member.data.visits.reason == "x"', 'member.data.visits.reason', 'member.data.visits', 'reason', 19, []],
    [
      '"__proto__" in member || member.constructor',
      'member.constructor',
      'member',
      'constructor',
      32,
      expect.any(Array),
    ],
  ])('names a field that does not exist: %s', (text, path, of, field, position, known) => {
    expect(inspectExpression(text).unknownFields).toEqual([{ path, of, field, position, known }]);
  });

  it.each([
    'member.name + assignment.status + chat.channel + tasks.current',
    'member.form_data.intake.address.city == "x"',
    'member.data.visits[0].reason == "x"',
    'call != null && call.status == "completed"',
    'member.data.visits.exists(member, member.nmae == 1)',
    '{"a": 1}.b == 1',
  ])('knows every field of %s', (text) => {
    expect(inspectExpression(text).unknownFields).toEqual([]);
  });

  it.each([
    ['"Ask" in tasks.visited', ['Ask']],
    ['!("Ask" in tasks["completed"])', ['Ask']],
    ['tasks.current == "Ask" || "Done" != tasks.current', ['Ask', 'Done']],
    ['tasks.current in ["Ask", "Done"]', ['Ask', 'Done']],
    ['tasks.visited.exists(t, t == "Ask")', ['Ask']],
    ['["Ask", "Done"].all(name, name in tasks.completed)', ['Ask', 'Done']],
    ['tasks.visited == ["Ask"] || tasks.visited[0] == "Done"', ['Ask', 'Done']],
    ['tasks.visited.filter(t, t != "Ask").size() > 0', ['Ask']],
    ['tasks.visited.exists(t, t.startsWith("A")) || size(tasks.visited) == 1', []],
    ['member.name == "Ask" || "Ask" in member.labels', []],
  ])('names the tasks of %s', (text, names) => {
    const found = inspectExpression(text).taskNames;
    expect(found.map(({ name }) => name)).toEqual(names);
    for (const { name, position } of found) expect(text.slice(position + 1)).toMatch(new RegExp(`^${name}"`));
  });

  it('names the labels', () => {
    const text = '"vip" in member.labels || member.labels.exists(l, l == "new")';
    expect(inspectExpression(text).labelSlugs).toEqual([
      { name: 'vip', position: 0 },
      { name: 'new', position: 55 },
    ]);
  });

  it('names a value that a field never has', () => {
    expect(inspectExpression('chat.channel == "sms" || assignment.status != "active"').unknownValues).toEqual(
      [
        {
          path: 'chat.channel',
          value: 'sms',
          position: 16,
          known: ['web-chat', 'phone-sms', 'phone-voice', 'email'],
        },
      ],
    );
  });

  it.each([
    ['member.form_data.intake.age > 17', 'form_data.intake.age'],
    ['member.form_data["intake"].age > 17', 'form_data.intake.age'],
    ['member.data.visits.exists(v, v.reason == "checkup")', 'data.visits.reason'],
    ['member.data.visits.filter(v, v.age > 1).map(v, v.reason)', 'data.visits.age, data.visits.reason'],
    ['member.data.visits[0].reason', 'data.visits.reason'],
    ['has(member.form_data.intake)', ''],
    ['member.form_data[member.name].age', ''],
  ])('lists the fields of records that are read: %s', (text, fields) => {
    const { recordFields } = inspectExpression(text);
    const read = recordFields.map(
      ({ group, dataTypeSlug, fieldSlug }) => `${group}.${dataTypeSlug}.${fieldSlug}`,
    );
    expect(read.join(', ')).toBe(fields);
  });

  it('lists the data types that are read without a field', () => {
    expect(
      inspectExpression('has(member.form_data.intake) || size(member.data.visits) > 0').dataTypes,
    ).toEqual([
      { group: 'form_data', dataTypeSlug: 'intake', position: 21 },
      { group: 'data', dataTypeSlug: 'visits', position: 49 },
    ]);
  });

  it.each([
    ['member.form_data.intake.age == "18"', ['age text']],
    ['17.5 < member.form_data.intake.age', ['age number']],
    ['member.form_data.intake.agreed == true', ['agreed boolean']],
    ['member.form_data.intake.note != null', ['note null']],
    ['member.form_data.intake.age in [17, "18"]', ['age number', 'age text']],
    ['"x" in member.form_data.intake.choices', ['choices[] text']],
    ['member.data.visits.exists(v, v.choices.exists(c, c == "x"))', ['choices[] text']],
    ['"x" in member.data.visits.map(v, v.reason)', ['reason text']],
    ['size(member.data.visits) > 1', []],
    ['string(member.form_data.intake.age) == "18"', []],
    ['member.form_data.intake.address.city == "x"', []],
  ])('lists the literals compared with fields of records: %s', (text, compared) => {
    const { recordComparisons } = inspectExpression(text);
    expect(
      recordComparisons.map(
        ({ fieldSlug, inList, with: type }) => `${fieldSlug}${inList ? '[]' : ''} ${type}`,
      ),
    ).toEqual(compared);
  });

  it('tells whether the time is read', () => {
    expect(inspectExpression('now > timestamp("2030-01-01T00:00:00Z")').usesNow).toBe(true);
    expect(inspectExpression('member.labels.exists(now, now == "x")').usesNow).toBe(false);
  });

  it('finds nothing in what does not compile', () => {
    expect(inspectExpression('member.nmae ==')).toMatchObject({ unknownFields: [], taskNames: [] });
  });
});
