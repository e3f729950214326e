import { describe, expect, it } from 'vitest';
import { touchOf } from '../../../../domain/identity/accounts/record-acquisition.js';

describe('what is kept of a first touch', () => {
  it('is what is on the list, whatever else is sent', () => {
    const sent = { utmSource: 'newsletter', utm_medium: 'email', gclid: 'Cj0', email: 'a@b.example' };
    expect(touchOf(sent)).toEqual({ utmSource: 'newsletter', utmMedium: 'email', gclid: 'Cj0' });
    expect(touchOf(JSON.parse('{"__proto__":{"utmSource":"x"},"constructor":"y"}'))).toEqual({});
  });

  it('takes the name of the field before that of addresses', () => {
    expect(touchOf({ utmSource: 'field', utm_source: 'address' })).toEqual({ utmSource: 'field' });
    expect(touchOf({ utmSource: ' ', utm_source: 'address', li_fat_id: 'l' })).toEqual({
      utmSource: 'address',
      liFatId: 'l',
    });
  });

  it('is cut to 500 characters, never within one, and has no control characters', () => {
    expect(touchOf({ utmTerm: 'x'.repeat(9_000) }).utmTerm).toHaveLength(500);
    expect([...(touchOf({ utmTerm: '😀'.repeat(9_000) }).utmTerm ?? '')]).toHaveLength(500);
    expect(touchOf({ utmTerm: ' a\n\u0007\u202eb ' })).toEqual({ utmTerm: 'a b' });
  });

  it('has pages without query, fragment and credentials, and only those of the web', () => {
    const secret = 'https://user:pass@shop.example:8443/a/b?token=secret#part';
    expect(touchOf({ referrer: secret, landingPage: 'http://clinic.example' })).toEqual({
      referrer: 'https://shop.example:8443/a/b',
      landingPage: 'http://clinic.example/',
    });
    for (const referrer of ['javascript:alert(1)', 'android-app://com.example', 'not a page', '', null, 7]) {
      expect(touchOf({ referrer })).toEqual({});
    }
  });
});
