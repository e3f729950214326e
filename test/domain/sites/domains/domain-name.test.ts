import { describe, expect, it } from 'vitest';
import { canonicalDomain, checkDomain } from '../../../../domain/sites/domains/domain-name.js';
import { processorMs } from '../../../support/lib/processor-ms.js';

const host = 'service.example.com';

describe('a domain', () => {
  it.each([
    ['WWW.Clinic.Example', 'www.clinic.example'],
    ['www.clinic.example.', 'www.clinic.example'],
    ['clinic.co.uk', 'clinic.co.uk'],
    ['somebody.github.io', 'somebody.github.io'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['example.com', 'example.com'],
  ])('%s is stored as %s', (text, domain) => {
    expect(checkDomain(text, host)).toEqual({ domain });
  });

  it('with letters that look like others is another one', () => {
    // The first letter is Cyrillic.
    expect(canonicalDomain('сlinic.example')).not.toBe('clinic.example');
  });

  it.each([
    ['service.example.com', 'own_host'],
    ['a.b.service.example.com', 'own_host'],
    ['SERVICE.example.com.', 'own_host'],
    ['com', 'malformed'],
    ['co.uk', 'suffix'],
    ['github.io', 'suffix'],
    ['127.0.0.1', 'address'],
    ['::1', 'address'],
    ['1.2.3.4.5', 'malformed'],
    ['a..example', 'malformed'],
    ['-a.example', 'malformed'],
    ['a.example\r\nHost: x', 'malformed'],
    ['a.example%2f', 'malformed'],
    ['user@a.example', 'malformed'],
    [`${'a.'.repeat(130)}example`, 'malformed'],
  ])('%s is refused: %s', (text, problem) => {
    expect(checkDomain(text, host)).toEqual({ problem });
  });

  it('of any length is read in no time', () => {
    const time = processorMs(() => {
      for (const text of ['a'.repeat(100_000), 'ü.'.repeat(50_000), '.'.repeat(100_000)])
        checkDomain(text, host);
    });
    expect(time).toBeLessThan(200);
  });
});
