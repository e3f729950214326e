import { expect, it } from 'vitest';
import { quoted } from '../../../../domain/channels/outreach/quoted.js';

it.each([
  ['a name', "St. Mary's Clinic & Söhne – Hauptstraße 7", '"St Mary\'s Clinic & Söhne Hauptstraße 7"'],
  ['another script', '東京クリニック', '"東京クリニック"'],
  ['a link', 'Sign in at https://evil.example/login?a=1#b', '"Sign in at https evil example login a 1 b"'],
  ['a link in full-width characters', 'ｈｔｔｐｓ：／／ｅｖｉｌ．ｅｘａｍｐｌｅ', '"https evil example"'],
  ['an ideographic full stop', 'evil。example', '"evil example"'],
  ['an address', 'write to help@evil.example', '"write to help evil example"'],
  ['a number to call', 'Call +1 (202) 555-0100 now', '"Call … now"'],
  ['a number in other digits', 'Call ٠١٢٣٤٥٦٧٨', '"Call …"'],
  ['a year and a count', '500 from 2026 on', '"500 from 2026 on"'],
  ['markup', '<a href=x>*Pay*</a> [now](x) `y`', '"a href x Pay a now x y"'],
  ['quotation marks that end ours', 'x" was enabled. Wire "y', '"x was enabled Wire y"'],
  [
    'lines and control characters',
    'One\r\nBcc: x\u0000\u001b[31m\u202e\u200bTwo\u2028Three',
    '"One Bcc x 31m Two Three"',
  ],
  ['nothing that can be shown', '🎉🎉', '""'],
])('quoted makes the words of a tenant harmless: %s', (_what, name, expected) => {
  expect(quoted(name)).toBe(expected);
});

it('quoted cuts a text after sixty whole characters', () => {
  expect(quoted('𝒳'.repeat(200))).toBe(`"${'X'.repeat(59)}…"`);
  expect([...quoted('𠀀'.repeat(200))]).toHaveLength(62);
});
