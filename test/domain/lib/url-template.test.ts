import { describe, expect, it } from 'vitest';
import { fillUrlTemplate, readUrlTemplate } from '../../../domain/lib/url-template.js';

const filled = (text: string, values: Record<string, unknown>) => {
  const template = readUrlTemplate(text);
  if (typeof template === 'string') throw new Error(template);
  return fillUrlTemplate(template, values);
};

describe('readUrlTemplate', () => {
  it('reads host, path and names', () => {
    expect(readUrlTemplate('https://api.example.com:8443/v1/{day}?q={word}&x=1')).toEqual({
      host: 'api.example.com:8443',
      path: '/v1/{day}',
      query: '?q={word}&x=1',
      names: ['day', 'word'],
    });
  });

  it.each([
    'http://api.example.com/',
    'https://{host}/v1',
    'https://user@api.example.com/',
    'https://user:pass@api.example.com/',
    'https://api.example.com\\@evil.example/',
    'https://0x7f.1/',
    'https://api.example.com/a b',
    'https://api.example.com/a\r\nx: y',
    'https://api.example.com/../secret',
    'https://api.example.com/v1/%2e%2e/x',
    'https://api.example.com/{day',
    'https://api.example.com/{da y}',
    'https://api.example.com/#x',
    'https://api.example.com/ä',
    'ftp://api.example.com/',
    '',
  ])('refuses %s', (text) => {
    expect(readUrlTemplate(text)).toEqual(expect.any(String));
  });
});

describe('fillUrlTemplate', () => {
  const path = 'https://api.example.com/v1/days/{day}/times';

  it('encodes values for their place', () => {
    expect(filled(path, { day: 'a?b#c&d=é %2e' })).toEqual({
      url: 'https://api.example.com/v1/days/a%3Fb%23c%26d%3D%C3%A9%20%252e/times',
    });
    expect(filled('https://api.example.com/?q={word}&x=1', { word: 'a&x=2#/../\\' })).toEqual({
      url: 'https://api.example.com/?q=a%26x%3D2%23%2F..%2F%5C&x=1',
    });
  });

  it.each(['', '.', '..', 'a/b', '../x', '..\\x', 'a\r\nHost: evil', 'a\0', '\ud800'])(
    'refuses a value that would leave its segment: %j',
    (day) => {
      expect(filled(path, { day })).toEqual({ refused: 'day' });
    },
  );

  it('refuses values that are a way up together', () => {
    expect(filled('https://api.example.com/v1/{a}{b}/x', { a: '.', b: '.' })).toHaveProperty('refused');
    expect(filled('https://api.example.com/v1/{a}.', { a: '.' })).toHaveProperty('refused');
  });

  it('refuses line breaks in the query', () => {
    expect(filled('https://api.example.com/?q={word}', { word: 'a\nb' })).toEqual({ refused: 'word' });
  });
});
