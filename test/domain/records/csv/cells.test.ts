import { describe, expect, it } from 'vitest';
import {
  booleanOfCell,
  cellOfField,
  dateOfCell,
  fieldOfCell,
  isBlank,
} from '../../../../domain/records/csv/cells.js';
import {
  checkValues,
  type FieldDefinition,
  fieldTypeNames,
  PatternBudget,
} from '../../../../domain/records/field-values.js';
import { hostileText, oneOf, seeded } from '../../../support/lib/hostile-texts.js';

const options = { partial: true, defaultRegion: 'US', patterns: new PatternBudget() };
const pick = seeded(3);

function field(fieldType: string, rules: Partial<FieldDefinition> = {}): FieldDefinition {
  return { slug: 'value', name: 'Value', fieldType, ...rules };
}

/** Input values by field type. What the service stores for them has to survive a round trip through a cell. */
const given: Record<string, () => unknown> = {
  text: () => hostileText(pick),
  textarea: () => hostileText(pick, 40),
  number: () => oneOf(pick, [-5, 0, 0.1, -1e-7, 1e21, -1.5e300, 5e-324, 2 ** 60]),
  integer: () => oneOf(pick, [-5, 0, 7, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]),
  boolean: () => oneOf(pick, [true, false]),
  date: () => oneOf(pick, ['0001-01-01', '2024-02-29']),
  datetime: () => oneOf(pick, ['2030-01-31T12:00:00.123Z', '2030-01-31T12:00:00-05:00']),
  time: () => oneOf(pick, ['08:00', '23:59:59']),
  email: () => 'Alex.Sample+news@Example.com',
  phone: () => oneOf(pick, ['(202) 555-0123', '+44 20 7946 0123']),
  url: () => 'https://example.com/a,b?c="d"#e',
  select: () => `x${hostileText(pick)}`,
  multiselect: () => Array.from({ length: Math.floor(pick() * 4) }, () => `${hostileText(pick)}x`),
  json: () => hostileJson(3),
  file: () => 7,
  files: () => Array.from({ length: Math.floor(pick() * 4) }, (_, index) => 1_000 + index),
  member: () => 2 ** 53 - 1,
};

function hostileJson(depth: number): unknown {
  const kind = depth === 0 ? 0 : Math.floor(pick() * 3);
  if (kind === 1) return Array.from({ length: 2 }, () => hostileJson(depth - 1));
  if (kind === 2) return Object.fromEntries([[`k${hostileText(pick)}`, hostileJson(depth - 1)]]);
  return oneOf<unknown>(pick, [hostileText(pick), -5, 1e21, true, false, null, '-5', '[]', {}, []]);
}

it.each(fieldTypeNames)('cellOfField and fieldOfCell preserve stored values of type %s', (fieldType) => {
  const definition = field(fieldType);
  const stored = Array.from({ length: 1_000 }, () => given[fieldType]?.())
    .map((value) => checkValues([definition], { value }, options).values.value)
    .filter((value) => value !== null && value !== undefined);
  expect(stored.length).toBeGreaterThan(500);

  const cells = stored.map((value) => String(cellOfField(definition, value)));
  expect(cells.filter(isBlank)).toEqual([]);
  const read = cells.map((cell) => fieldOfCell(definition, cell));
  expect(read).toEqual(stored.map((value) => ({ ok: true, value })));
  const again = stored.map((value) => checkValues([definition], { value }, options).values.value);
  expect(again).toEqual(stored);
});

describe('a cell of files', () => {
  it('is no number for a spreadsheet, and is read as people write it', () => {
    expect(cellOfField(field('files'), [12, 150])).toBe('12; 150');
    for (const cell of ['12; 150', '12;150', ' 12 , 150 ']) {
      expect(fieldOfCell(field('files'), cell)).toEqual({ ok: true, value: [12, 150] });
    }
    expect(fieldOfCell(field('files'), '12')).toEqual({ ok: true, value: [12] });
  });

  it.each(['12;', 'scan.pdf', '1e3', '-1', '12 150'])('is refused as %j', (cell) => {
    expect(fieldOfCell(field('files'), cell)).toMatchObject({ ok: false });
  });
});

describe('fieldOfCell', () => {
  const readAs = (fieldType: string, cell: string, rules?: Partial<FieldDefinition>) => {
    const definition = field(fieldType, rules);
    const read = fieldOfCell(definition, cell);
    return read.ok ? checkValues([definition], { value: read.value }, options) : read;
  };

  it.each<[string, string, unknown]>([
    ['number', ' +1.50 ', 1.5],
    ['number', '.5', 0.5],
    ['integer', '1e3', 1000],
    ['boolean', 'TRUE', true],
    ['boolean', '0', false],
    ['date', ' 2024-02-29 ', '2024-02-29'],
    ['multiselect', 'a, "b,c" ,', ['a', 'b,c']],
    ['multiselect', '""', []],
    ['json', '{"a": [1, null]}', { a: [1, null] }],
    ['phone', '(202) 555-0123', '+12025550123'],
    ['email', ' Alex@Example.com', 'alex@example.com'],
  ])('reads a %s from %j', (fieldType, cell, value) => {
    expect(readAs(fieldType, cell)).toEqual({ values: { value }, errors: [] });
  });

  it.each([
    ['number', '1,5'],
    ['number', '0x10'],
    ['number', 'Infinity'],
    ['number', '1e999'],
    ['integer', '1.5'],
    ['boolean', 'yes'],
    ['boolean', 'constructor'],
    ['date', '02/03/2024'],
    ['member', '-1'],
    ['select', 'c'],
    ['multiselect', 'a,c'],
  ])('leaves the rejection of a %s that is %j to the field', (fieldType, cell) => {
    const rules = fieldType.endsWith('select') ? { options: ['a', 'b'] } : {};
    expect(readAs(fieldType, cell, rules)).toMatchObject({ errors: [{ pointer: '/fieldValues/value' }] });
  });

  it.each([
    ['json', '{a: 1}'],
    ['json', '{"a": [{"__proto__": 1}]}'],
    ['json', '['.repeat(30_000)],
    ['json', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['json', 'a'],
    ['multiselect', '"a'],
  ])('rejects an invalid %s (%#)', (fieldType, cell) => {
    expect(fieldOfCell(field(fieldType), cell)).toMatchObject({ ok: false });
  });
});

it('booleanOfCell accepts true, false, 1 and 0', () => {
  const cells = ['true', ' False ', '1', '0', 'yes', '', 'constructor'];
  expect(cells.map(booleanOfCell)).toEqual([true, false, true, false, null, null, null]);
});

it.each([
  ['29.02.1980', '1980-02-29'],
  ['1.3.1990', '1990-03-01'],
  ['1. 3. 1990', '1990-03-01'],
  ['1990/03/01', '1990-03-01'],
  ['1990.3.1', '1990-03-01'],
  ['13/02/1990', '1990-02-13'],
  ['02/13/1990', '1990-02-13'],
  ['05/05/1990', '1990-05-05'],
  ['25-12-1990', '1990-12-25'],
  ['๒๙.๐๒.๑๙๘๐', '1980-02-29'],
  [' 1990-03-01 ', '1990-03-01'],
])('dateOfCell reads %j as %s', (cell, date) => {
  expect(dateOfCell(cell)).toBe(date);
});

it.each(['02/03/1990', '29.02.1981', '31/31/1990', '1.3.90', '3000', 'May 1, 1990', ''])(
  'dateOfCell leaves %j, which is no date or more than one, as it is',
  (cell) => {
    expect(dateOfCell(cell)).toBe(cell);
  },
);
