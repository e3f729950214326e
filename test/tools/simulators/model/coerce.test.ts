import { expect, test } from 'vitest';
import { coerce } from '../../../../tools/simulators/model/walk/coerce.js';

const date = { type: 'string', format: 'date' };
const colour = { enum: ['Red', 'Dark red', 'Blue'] };

test.each([
  ['1990-03-12', date, '1990-03-12'],
  ['March 12, 1990', date, '1990-03-12'],
  ['the 1st of May 2001', date, '2001-05-01'],
  ['I am 42 years old', { type: 'integer' }, 42],
  ['1,250.5', { type: 'number' }, 1250.5],
  ['-3', { type: ['integer', 'null'] }, -3],
  ['Yes please', { type: 'boolean' }, true],
  ["I don't", { type: 'boolean' }, false],
  ['red', colour, 'Red'],
  ['I like blue best', colour, 'Blue'],
  ['Blue, red', { type: 'array', items: colour }, ['Blue', 'Red']],
  ['it is one@example.org.', { type: 'string', format: 'email' }, 'one@example.org'],
  ['Anything', { type: 'string' }, 'Anything'],
])('coerces %s to a value of %j', (text, schema, expected) => {
  expect(coerce(text, schema)).toEqual(expected);
});

test.each([
  ['1990-02-30', date],
  ['yesterday', date],
  ['4.5', { type: 'integer' }],
  ['many', { type: 'number' }],
  ['7', { type: 'integer', maximum: 5 }],
  ['perhaps', { type: 'boolean' }],
  ['green', colour],
  ['red or blue', colour],
  ['red, green', { type: 'array', items: colour }],
  ['nobody', { type: 'string', format: 'email' }],
])('does not coerce %s to a value of %j', (text, schema) => {
  expect(coerce(text, schema)).toBeUndefined();
});
