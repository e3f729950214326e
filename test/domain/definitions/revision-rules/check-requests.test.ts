import { describe, expect, it } from 'vitest';
import {
  checkRequests,
  checkRequestTerms,
} from '../../../../domain/definitions/revision-rules/check-requests.js';
import { checkRevision } from '../../../../domain/definitions/revision-rules/check-revision.js';
import type { HttpRequest } from '../../../../domain/kernel/ability-configs.js';

const request: HttpRequest = {
  name: 'find_times',
  description: 'Finds free times.',
  method: 'GET',
  url: 'https://api.example.com/v1/{day}',
  parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
};
const headers = (...given: NonNullable<HttpRequest['headers']>) => ({ ...request, headers: given });

describe('checkRequests', () => {
  it('accepts a request', () => {
    expect(checkRequests({ requests: [request, { ...request, name: 'other' }] })).toEqual([]);
  });

  it.each<[string, HttpRequest[], string]>([
    ['the name of a tool', [{ ...request, name: 'handoff' }], '/requests/0/name'],
    ['a name twice', [request, request], '/requests/1/name'],
    ['an address that is none', [{ ...request, url: 'https://x y' }], '/requests/0/url'],
    ['an unknown argument', [{ ...request, url: 'https://api.example.com/{other}' }], '/requests/0/url'],
    [
      'an optional argument in the address',
      [{ ...request, parameters: { type: 'object', properties: { day: { type: 'string' } } } }],
      '/requests/0/url',
    ],
    [
      'a required argument that there is not',
      [
        {
          ...request,
          parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day', 'x'] },
        },
      ],
      '/requests/0/parameters/required/1',
    ],
    [
      'an argument that the query has already',
      [{ ...request, url: 'https://api.example.com/v1?day=monday' }],
      '/requests/0/parameters/properties/day',
    ],
    ['a header of ours', [headers({ name: 'Host', value: 'x' })], '/requests/0/headers/0/name'],
    ['the length', [headers({ name: 'content-LENGTH', value: '1' })], '/requests/0/headers/0/name'],
    [
      'a header twice',
      [headers({ name: 'X-A', value: '1' }, { name: 'x-a', value: '2' })],
      '/requests/0/headers/1/name',
    ],
    ['a header without a value', [headers({ name: 'X-A' })], '/requests/0/headers/0'],
    [
      'a header with value and secret',
      [headers({ name: 'X-A', value: '1', secret: 'a' })],
      '/requests/0/headers/0',
    ],
    [
      'a prefix of a value',
      [headers({ name: 'X-A', value: '1', prefix: 'B ' })],
      '/requests/0/headers/0/prefix',
    ],
  ])('refuses %s', (_, requests, pointer) => {
    expect(checkRequests({ requests }).map((error) => error.pointer)).toEqual([pointer]);
  });
});

describe('checkRequestTerms', () => {
  const withSecret = headers({ name: 'Authorization', secret: 'token', prefix: 'Bearer ' });
  const warned = (terms: Parameters<typeof checkRequestTerms>[1]) =>
    checkRequestTerms({ requests: [withSecret] }, terms).map(({ code, pointer }) => `${code} ${pointer}`);

  it('warns of a host that is not allowed, and of a secret that is missing or for other hosts', () => {
    const hosts = ['api.example.com'];
    expect(warned({ hosts, secrets: [{ name: 'token', hosts }] })).toEqual([]);
    expect(warned({ hosts: [], secrets: [] })).toEqual([
      'host_not_allowed /requests/0/url',
      'unknown_secret /requests/0/headers/0/secret',
    ]);
    expect(warned({ hosts, secrets: [{ name: 'token', hosts: ['b.example.com'] }] })).toEqual([
      'unknown_secret /requests/0/headers/0/secret',
    ]);
  });
});

describe('checkRevision', () => {
  it.each<[string, object]>([
    ['a header with a line break', { headers: [{ name: 'X-A', value: 'a\r\nb' }] }],
    ['a name with a line break', { headers: [{ name: 'X\r\n', value: 'a' }] }],
    ['a pattern', { parameters: { type: 'object', properties: { day: { type: 'string', pattern: 'a' } } } }],
    ['a reference', { parameters: { type: 'object', properties: { day: { $ref: '#' } } } }],
    [
      'a name of an argument like a prototype',
      { parameters: { type: 'object', properties: { '__proto__ ': {} } } },
    ],
    ['a long timeout', { timeoutSeconds: 60 }],
    ['a large result', { maxResultBytes: 1_000_000 }],
    ['another method', { method: 'TRACE' }],
    ['an unknown field', { follow: true }],
  ])('refuses a request with %s', (_, more) => {
    const ability = { abilityType: 'http_request', config: { requests: [{ ...request, ...more }] } };
    const errors = checkRevision([{ name: 'Talk', taskType: 'conversation', abilities: [ability] }]);
    expect(errors.length).toBeGreaterThan(0);
  });
});
