import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { LoginSecret } from '../../../domain/login-codes/login-secret.js';

const secret = new LoginSecret('one secret');
const other = new LoginSecret('another secret');
const uuids = Array.from({ length: 500 }, () => randomUUID());

test('a code is six digits, always the same for its uuid and other ones with another secret', () => {
  const codes = uuids.map((uuid) => secret.codeOf(uuid));
  for (const code of codes) expect(code).toMatch(/^\d{6}$/);
  expect(uuids.map((uuid) => new LoginSecret('one secret').codeOf(uuid))).toEqual(codes);
  expect(new Set(codes).size).toBeGreaterThan(480);
  expect(uuids.filter((uuid, index) => other.codeOf(uuid) === codes[index]).length).toBeLessThan(5);
});

test('only its own digits are right, all six of them', () => {
  const uuid = randomUUID();
  const code = secret.codeOf(uuid);
  expect(secret.isCodeOf(uuid, code)).toBe(true);
  const [first = '', rest] = [code[0], code.slice(1)];
  const wrongs = [`${(Number(first) + 1) % 10}${rest}`, rest, `${code}0`, ''];
  for (const wrong of wrongs) expect(secret.isCodeOf(uuid, wrong)).toBe(false);
});

test('a hash tells nothing without the secret, and keeps kinds apart', () => {
  const hash = secret.hash('phone', '+15550100100');
  expect(secret.hash('phone', '+15550100100')).toEqual(hash);
  expect(secret.hash('email', '+15550100100')).not.toEqual(hash);
  expect(other.hash('phone', '+15550100100')).not.toEqual(hash);
});
