import { expect, it } from 'vitest';
import { normalizeEmail } from '../../../domain/lib/email.js';

it.each([
  '',
  'robin',
  '@example.com',
  'robin@',
  'robin@localhost',
  'robin@example..com',
  'robin@-example.com',
  'robin@127.0.0.1',
  'robin@[127.0.0.1]',
  '.robin@example.com',
  'robin..e@example.com',
  'robin e@example.com',
  '"robin e"@example.com',
  'robin@exa mple.com',
  'robin@example.com\nbcc: sam@example.com',
  'a@b@example.com',
  `${'r'.repeat(65)}@example.com`,
  `robin@${'e'.repeat(64)}.com`,
  `robin@${'example.'.repeat(40)}com`,
])('normalizeEmail rejects %j', (text) => {
  expect(normalizeEmail(text)).toBeNull();
});

it.each([
  [' Robin.Example+tag@Example.COM ', 'robin.example+tag@example.com'],
  ["o'robin@mail.example.org", "o'robin@mail.example.org"],
  ['robin@xn--bcher-kva.example', 'robin@xn--bcher-kva.example'],
])('normalizeEmail turns %j into %s', (text, email) => {
  expect(normalizeEmail(text)).toBe(email);
});
