import { describe, expect, it } from 'vitest';
import {
  checkFieldDefinitions,
  checkValues,
  type FieldDefinition,
  fieldSchema,
  PatternBudget,
} from '../../../domain/records/field-values.js';

function field(fieldType: string, rules: Partial<FieldDefinition> = {}): FieldDefinition {
  return { slug: 'value', name: 'Value', fieldType, ...rules };
}

const pointers = (errors: { pointer: string }[]) => errors.map(({ pointer }) => pointer);

describe('checkFieldDefinitions', () => {
  it.each<[string, FieldDefinition, string]>([
    ['an unknown type', field('color'), '/fieldType'],
    ['a type that every object has', field('constructor'), '/fieldType'],
    ['a slug with blanks', field('text', { slug: 'first name' }), '/slug'],
    ['a slug that every object has', field('text', { slug: 'constructor' }), '/slug'],
    ['another one', field('text', { slug: 'toString' }), '/slug'],
    ['a long slug', field('text', { slug: 'x'.repeat(64) }), '/slug'],
    ['a blank name', field('text', { name: ' ' }), '/name'],
    ['bounds where there are none', field('boolean', { min: 1 }), '/min'],
    ['a bound of another kind', field('number', { max: '2030-01-01' }), '/max'],
    ['a negative length', field('text', { min: -1 }), '/min'],
    ['a date that does not exist', field('date', { min: '2030-02-30' }), '/min'],
    ['a time that is not as times are stored', field('time', { max: '18:00:00' }), '/max'],
    ['a maximum below the minimum', field('integer', { min: 5, max: 4 }), '/max'],
    ['a pattern that can run for hours', field('text', { pattern: '(a+)+' }), '/pattern'],
    ['a pattern on a number', field('number', { pattern: '\\d+' }), '/pattern'],
    ['options on a text', field('text', { options: ['a'] }), '/options'],
    ['an index on json', field('json', { shouldIndex: true }), '/shouldIndex'],
    ['unique long texts', field('textarea', { unique: true }), '/unique'],
    ['unique json', field('json', { unique: true }), '/unique'],
    ['unique lists of choices', field('multiselect', { unique: true }), '/unique'],
    ['unique files', field('file', { unique: true }), '/unique'],
    ['unique lists of files', field('files', { unique: true }), '/unique'],
    ['a bound on one file', field('file', { max: 1 }), '/max'],
    ['a fraction of files', field('files', { max: 1.5 }), '/max'],
    ['a select with no option in its list', field('select', { options: [] }), '/options'],
    ['an option twice', field('select', { options: ['a', { value: 'a' }] }), '/options/1'],
    ['a blank option', field('multiselect', { options: [' '] }), '/options/0'],
  ])('rejects %s', (_title, definition, pointer) => {
    expect(pointers(checkFieldDefinitions([definition]))).toEqual([`/fields/0${pointer}`]);
  });

  it('rejects two fields with one slug, and too many fields', () => {
    expect(pointers(checkFieldDefinitions([field('text'), field('date')]))).toEqual(['/fields/1/slug']);
    const many = Array.from({ length: 201 }, (_, index) => field('text', { slug: `field-${index}` }));
    expect(pointers(checkFieldDefinitions(many))).toEqual(['/fields']);
  });
});

it('checkFieldDefinitions accepts every type with its rules', () => {
  const definitions = [
    field('text', { slug: 'code', required: true, unique: true, min: 2, max: 10, pattern: '[A-Z]{2}\\d+' }),
    field('number', { slug: 'height', min: 0.5, max: 2.5 }),
    field('date', { slug: 'birthday', min: '1900-01-01', max: '2030-12-31' }),
    field('time', { slug: 'at', min: '08:00', max: '18:00' }),
    field('select', { slug: 'size', options: ['s', { value: 'm', label: 'Medium' }], shouldIndex: true }),
    field('select', { slug: 'free' }),
    field('multiselect', { slug: 'several', options: ['a', 'b'], min: 1, max: 2 }),
    field('json', { slug: 'more' }),
  ];
  expect(checkFieldDefinitions(definitions)).toEqual([]);
});

describe('checkValues', () => {
  const options = { partial: false, defaultRegion: 'US', patterns: new PatternBudget() };

  it.each<[string, FieldDefinition, unknown]>([
    ['a number as text', field('text'), 7],
    ['a NUL', field('text'), 'a\u0000b'],
    ['half a surrogate pair', field('textarea'), 'a\ud800b'],
    ['a long text', field('text'), 'x'.repeat(1_001)],
    ['a short text', field('text', { min: 3 }), 'ab'],
    ['a text that only holds the pattern', field('text', { pattern: '\\d{3}' }), 'x123'],
    ['a long text for a pattern', field('text', { pattern: '\\d+' }), '1'.repeat(257)],
    ['text as number', field('number'), '7'],
    ['no number at all', field('number'), Number.NaN],
    ['infinity', field('number'), Number.POSITIVE_INFINITY],
    ['too little', field('number', { min: 1 }), 0.5],
    ['too much', field('integer', { max: 3 }), 4],
    ['a broken integer', field('integer'), 1.5],
    ['an integer beyond 53 bits', field('integer'), 2 ** 53],
    ['text as boolean', field('boolean'), 'true'],
    ['a day that does not exist', field('date'), '2030-02-29'],
    ['another form of date', field('date'), '02/28/2030'],
    ['an early date', field('date', { min: '2030-01-01' }), '2029-12-31'],
    ['a time without an offset', field('datetime'), '2030-01-01T12:00:00'],
    ['an hour that does not exist', field('datetime'), '2030-01-01T25:00:00Z'],
    ['an hour of that kind', field('time'), '24:00'],
    ['no email address', field('email'), 'robin'],
    ['no phone number', field('phone'), '12'],
    ['another scheme', field('url'), 'javascript:alert(1)'],
    ['no address', field('url'), 'https://'],
    ['no option', field('select', { options: ['a'] }), 'b'],
    ['no list', field('multiselect', { options: ['a'] }), 'a'],
    ['a list with no option', field('multiselect', { options: ['a'] }), ['a', 'b']],
    ['too few choices', field('multiselect', { options: ['a', 'b'], min: 2 }), ['a']],
    ['JSON nested too deep', field('json'), JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`)],
    ['JSON too long', field('json'), ['x'.repeat(20_000)]],
    ['JSON with a NUL in a key', field('json'), { 'a\u0000': 1 }],
    ['no id', field('file'), 0],
    ['a file as a list', field('file'), [7]],
    ['a file as an object', field('file'), { id: 7 }],
    ['one file where a list is', field('files'), 7],
    ['a list with no id', field('files'), [7, '8']],
    ['more files than the field takes', field('files', { max: 2 }), [7, 8, 9]],
    ['fewer files than the field takes', field('files', { min: 2 }), [7, 7]],
    ['more files than any field takes', field('files'), Array.from({ length: 21 }, (_, index) => index + 1)],
    ['no files where some are required', field('files', { required: true }), []],
    ['an id as text', field('member'), '7'],
  ])('rejects %s', (_title, definition, value) => {
    expect(checkValues([definition], { value }, options)).toEqual({
      values: {},
      errors: [{ pointer: '/fieldValues/value', message: expect.stringContaining('Value ') }],
    });
  });

  it.each([
    [2 ** 53, 'Value must be between -9007199254740991 and 9007199254740991'],
    [1.5, 'Value must be a whole number'],
  ])('says why %d is no integer', (value, message) => {
    const { errors } = checkValues([field('integer')], { value }, options);
    expect(errors).toEqual([{ pointer: '/fieldValues/value', message }]);
  });

  it.each<[FieldDefinition, unknown, unknown]>([
    [field('text', { pattern: '\\d{3}' }), '123', '123'],
    [field('textarea'), 'a\nb 👋', 'a\nb 👋'],
    [field('number'), 1.5, 1.5],
    [field('integer'), 18, 18],
    [field('boolean'), false, false],
    [field('date'), '2028-02-29', '2028-02-29'],
    [field('datetime'), '2030-01-01T12:00:00+02:00', '2030-01-01T10:00:00.000Z'],
    [field('time'), '09:30', '09:30'],
    [field('time', { max: '09:30' }), '09:30:00', '09:30'],
    [field('time'), '09:30:15', '09:30:15'],
    [field('number'), -0, 0],
    [field('integer'), -0, 0],
    [field('email'), 'Robin@Example.com', 'robin@example.com'],
    [field('phone'), '(202) 555-0123', '+12025550123'],
    [field('url'), 'HTTPS://example.com', 'https://example.com/'],
    [field('select', { options: [{ value: 'a', label: 'A' }] }), 'a', 'a'],
    [field('select'), 'anything', 'anything'],
    [field('multiselect', { options: ['a', 'b'] }), ['b', 'a', 'b'], ['b', 'a']],
    [field('json'), { a: [1, null, true] }, { a: [1, null, true] }],
    [field('json'), { a: [-0] }, { a: [0] }],
    [field('file'), 7, 7],
    [field('files'), [9, 7, 9], [9, 7]],
    [field('files'), [], []],
  ])('normalizes %j with %j to its stored form', (definition, value, stored) => {
    expect(checkValues([definition], { value }, options)).toEqual({ values: { value: stored }, errors: [] });
  });

  it('rejects unknown slugs, including those that every object has', () => {
    const values = JSON.parse('{"other": 1, "a/b": 2, "__proto__": 3}');
    const { errors } = checkValues([field('text')], values, options);
    expect(pointers(errors)).toEqual(['/fieldValues/other', '/fieldValues/a~1b', '/fieldValues/__proto__']);
  });

  const fields = [
    field('text', { slug: 'name', name: 'Name', required: true }),
    field('integer', { slug: 'age', name: 'Age' }),
  ];

  it('requires required fields for a new record, and not for an update', () => {
    expect(checkValues(fields, { age: 18 }, options).errors).toEqual([
      { pointer: '/fieldValues/name', message: 'Name is required' },
    ]);
    const updated = checkValues(fields, { age: 18 }, { ...options, partial: true });
    expect(updated).toEqual({ values: { age: 18 }, errors: [] });
  });

  it.each([null, '', '  '])(
    'takes %j to clear an optional field, and rejects it for a required one',
    (nothing) => {
      const update = (values: object) => checkValues(fields, { ...values }, { ...options, partial: true });
      expect(update({ age: nothing })).toEqual({ values: { age: null }, errors: [] });
      expect(pointers(update({ name: nothing }).errors)).toEqual(['/fieldValues/name']);
    },
  );

  it('reports all errors at once and keeps valid values', () => {
    const checked = checkValues(fields, { name: 'Robin', age: 'old', shoe: 42 }, options);
    expect(checked.values).toEqual({ name: 'Robin' });
    expect(pointers(checked.errors)).toEqual(['/fieldValues/shoe', '/fieldValues/age']);
  });
});

describe('fieldSchema', () => {
  it('has the name, form, bounds and choices of the field', () => {
    expect(fieldSchema(field('integer', { min: 1, max: 9, description: 'How many' }))).toEqual({
      title: 'Value',
      description: 'How many',
      type: 'integer',
      minimum: 1,
      maximum: 9,
    });
    expect(fieldSchema(field('select', { options: ['a', { value: 'b' }] }))).toMatchObject({
      enum: ['a', 'b'],
    });
    expect(fieldSchema(field('date'))).toMatchObject({ type: 'string', format: 'date' });
    expect(fieldSchema(field('file', { description: 'The scan.' }))).toEqual({
      title: 'Value',
      description: 'The scan. The fileId of a file that came with a message.',
      type: 'integer',
      minimum: 1,
    });
    expect(fieldSchema(field('files', { required: true, max: 3 }))).toMatchObject({
      type: 'array',
      items: { type: 'integer', minimum: 1 },
      minItems: 1,
      maxItems: 3,
    });
    expect(fieldSchema(field('email'))).toMatchObject({ format: 'email' });
  });
});
