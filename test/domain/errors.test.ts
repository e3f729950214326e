import { expect, it } from 'vitest';
import { InvalidInput } from '../../domain/errors.js';

it('tells at most a hundred fields that are wrong', () => {
  const errors = Array.from({ length: 500 }, (_, index) => ({ pointer: `/${index}`, message: 'is wrong' }));

  const error = InvalidInput.fields(errors);

  expect(error.errors).toHaveLength(100);
  expect(error.message.split('; ')).toHaveLength(100);
});
