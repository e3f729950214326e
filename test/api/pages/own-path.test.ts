import { describe, expect, it } from 'vitest';
import { ownPath } from '../../../api/html/account/own-path.js';

const origin = 'https://engagement.example';

describe('the path that a page of the service goes on to', () => {
  it.each(['/account', '/settings?tab=keys', '/a/./b/../c', '/o/clinic/sso/start?returnTo=%2Faccount'])(
    'is %s',
    (path) => {
      const url = new URL(path, origin);
      expect(ownPath(path, origin)).toBe(url.pathname + url.search);
    },
  );

  it.each([
    undefined,
    '',
    'account',
    'https://evil.example/',
    'javascript:alert(1)',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    '/.//evil.example',
    '/./\\evil.example',
    '/..//evil.example/login',
    '/a/..//evil.example',
    '/a/../\\evil.example',
    '/%2e//evil.example',
    '/%2E%2e//evil.example',
    '/.//.//evil.example',
    `/${'a'.repeat(5_000)}`,
  ])('is the home page instead of %j', (text) => {
    expect(ownPath(text, origin)).toBe('/home');
  });

  it('leads back to the service when it is read again, whatever was given', () => {
    for (const text of ['/.//x', '/%2f%2fevil.example', '/%5cevil.example', '/a//b', '/;//evil.example']) {
      const once = ownPath(text, origin);
      expect([text, new URL(once, origin).origin, ownPath(once, origin)]).toEqual([text, origin, once]);
    }
  });
});
