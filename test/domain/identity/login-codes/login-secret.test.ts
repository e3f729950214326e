import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { LoginSecret } from '../../../../domain/identity/login-codes/login-secret.js';

const secret = new LoginSecret('one secret');
const other = new LoginSecret('another secret');
const sourceOf = () => ({ uuid: randomUUID(), nonce: randomBytes(16) });
const sources = Array.from({ length: 500 }, sourceOf);

test('LoginSecret derives a code of six digits from the uuid and the secret', () => {
  const codes = sources.map((source) => secret.codeOf(source));
  for (const code of codes) expect(code).toMatch(/^\d{6}$/);
  expect(sources.map((source) => new LoginSecret('one secret').codeOf(source))).toEqual(codes);
  expect(new Set(codes).size).toBeGreaterThan(480);
  expect(sources.filter((source, index) => other.codeOf(source) === codes[index]).length).toBeLessThan(5);
});

test('LoginSecret derives a code from the nonce as well, except for codes that were stored without one', () => {
  const { uuid } = sourceOf();
  const codes = Array.from({ length: 100 }, () => secret.codeOf({ uuid, nonce: randomBytes(16) }));
  expect(new Set(codes).size).toBeGreaterThan(95);
  const before = { uuid: '00000000-0000-4000-8000-000000000000', nonce: null };
  expect(secret.codeOf(before)).toBe('044898');
});

test('LoginSecret accepts only the six digits of the code', () => {
  const source = sourceOf();
  const code = secret.codeOf(source);
  expect(secret.isCodeOf(source, code)).toBe(true);
  const [first = '', rest] = [code[0], code.slice(1)];
  const wrongs = [`${(Number(first) + 1) % 10}${rest}`, rest, `${code}0`, ''];
  for (const wrong of wrongs) expect(secret.isCodeOf(source, wrong)).toBe(false);
});

test('LoginSecret hashes depend on the secret and on the kind of the value', () => {
  const hash = secret.hash('phone', '+15550100100');
  expect(secret.hash('phone', '+15550100100')).toEqual(hash);
  expect(secret.hash('email', '+15550100100')).not.toEqual(hash);
  expect(other.hash('phone', '+15550100100')).not.toEqual(hash);
});
