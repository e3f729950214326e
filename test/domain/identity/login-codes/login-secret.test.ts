import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { LoginSecret } from '../../../../domain/identity/login-codes/login-secret.js';

const secret = new LoginSecret('one secret');
const other = new LoginSecret('another secret');
const sourceOf = () => ({ uuid: randomUUID(), nonce: randomBytes(16) });
const sources = Array.from({ length: 500 }, sourceOf);

test('a code is six digits, always the same for its uuid and other ones with another secret', () => {
  const codes = sources.map((source) => secret.codeOf(source));
  for (const code of codes) expect(code).toMatch(/^\d{6}$/);
  expect(sources.map((source) => new LoginSecret('one secret').codeOf(source))).toEqual(codes);
  expect(new Set(codes).size).toBeGreaterThan(480);
  expect(sources.filter((source, index) => other.codeOf(source) === codes[index]).length).toBeLessThan(5);
});

test('a code follows from the random column as well, but for codes that were made without one', () => {
  const { uuid } = sourceOf();
  const codes = Array.from({ length: 100 }, () => secret.codeOf({ uuid, nonce: randomBytes(16) }));
  expect(new Set(codes).size).toBeGreaterThan(95);
  const before = { uuid: '00000000-0000-4000-8000-000000000000', nonce: null };
  expect(secret.codeOf(before)).toBe('044898');
});

test('only its own digits are right, all six of them', () => {
  const source = sourceOf();
  const code = secret.codeOf(source);
  expect(secret.isCodeOf(source, code)).toBe(true);
  const [first = '', rest] = [code[0], code.slice(1)];
  const wrongs = [`${(Number(first) + 1) % 10}${rest}`, rest, `${code}0`, ''];
  for (const wrong of wrongs) expect(secret.isCodeOf(source, wrong)).toBe(false);
});

test('a hash tells nothing without the secret, and keeps kinds apart', () => {
  const hash = secret.hash('phone', '+15550100100');
  expect(secret.hash('phone', '+15550100100')).toEqual(hash);
  expect(secret.hash('email', '+15550100100')).not.toEqual(hash);
  expect(other.hash('phone', '+15550100100')).not.toEqual(hash);
});
