import { expect, it } from 'vitest';
import { InvalidInput } from '../../../domain/lib/errors.js';

it('InvalidInput.fields keeps at most a hundred errors, and names the first three in its message', () => {
  const errors = Array.from({ length: 500 }, (_, index) => ({ pointer: `/${index}`, message: 'is wrong' }));

  const error = InvalidInput.fields(errors);

  expect(error.errors).toHaveLength(100);
  expect(error.message.split('; ')).toEqual([
    '/0 is wrong',
    '/1 is wrong',
    '/2 is wrong',
    expect.stringContaining('97'),
  ]);
});

it('InvalidInput.fields joins sentences without a full stop before the semicolon', () => {
  const errors = ['One is wrong.', 'Two is wrong.'].map((message) => ({ pointer: '/file', message }));
  expect(InvalidInput.fields(errors).message).toBe('One is wrong; Two is wrong.');
});
