import { describe, expect, it } from 'vitest';
import { type AddressSignature, FileAddresses } from '../../../domain/files/file-addresses.js';

const workspaceUuid = '0b7c4a52-7c38-4cf1-9f5b-0e6f0f1a2b3c';
const file = {
  workspaceUuid,
  fileId: 7,
  versionNumber: 2,
  disposition: 'inline',
  filename: 'a b.png',
} as const;
const now = new Date('2026-11-24T12:01:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const secret = 'a secret of tests, of more than 32 characters';
const base = 'https://service.example.com/api/v2';
const addresses = new FileAddresses([secret], base);

function signatureOf(address: string): AddressSignature {
  const { version, disposition, expires, signature } = Object.fromEntries(new URL(address).searchParams);
  return {
    version: Number(version),
    disposition: disposition as 'inline',
    expires: Number(expires),
    signature: String(signature),
  };
}
const made = addresses.addressOf(file, now);
const check = (
  changes: Partial<AddressSignature>,
  of: { workspaceUuid?: string; fileId?: number } = {},
  at = now,
) => addresses.check({ workspaceUuid, fileId: 7, ...of }, { ...signatureOf(made), ...changes }, at);

describe('a signed address', () => {
  it('is of the file, and valid for 15 to 20 minutes', () => {
    expect(made).toContain(
      `${base}/w/${workspaceUuid}/files/7/contents/a%20b.png?version=2&disposition=inline&`,
    );
    expect([check({}), check({}, {}, later(900)), check({}, {}, later(1_200))]).toEqual([
      'valid',
      'valid',
      'expired',
    ]);
  });

  it('is valid longer if it has to be', () => {
    const long = signatureOf(addresses.addressOf(file, now, 15_300));
    expect(long.expires - signatureOf(made).expires).toBe(15_300 - 900);
    const at = (seconds: number) => addresses.check({ workspaceUuid, fileId: 7 }, long, later(seconds));
    expect([at(15_300), at(15_600)]).toEqual(['valid', 'expired']);
  });

  it('is the same for some minutes', () => {
    expect(addresses.addressOf(file, later(60))).toBe(made);
    expect(addresses.addressOf(file, later(300))).not.toBe(made);
  });

  it.each<[string, Partial<AddressSignature>, { workspaceUuid?: string; fileId?: number }?]>([
    ['another version', { version: 3 }],
    ['another disposition', { disposition: 'attachment' }],
    ['a later end', { expires: signatureOf(made).expires + 1 }],
    ['another file', {}, { fileId: 8 }],
    ['another workspace', {}, { workspaceUuid: workspaceUuid.replace('0b', '0c') }],
    ['another signature', { signature: 'A'.repeat(43) }],
    ['a shorter signature', { signature: signatureOf(made).signature.slice(0, 20) }],
    ['no signature', { signature: '' }],
  ])('is refused with %s, also after its end', (_, changes, of = {}) => {
    expect([check(changes, of), check(changes, of, later(3_600))]).toEqual(['altered', 'altered']);
  });

  it('is refused if another secret signed it, and accepted during a rotation', () => {
    const other = 'another secret of tests, of more than 32 characters';
    const of = (secrets: string[]) =>
      new FileAddresses(secrets, base).check({ workspaceUuid, fileId: 7 }, signatureOf(made), now);
    expect([of([other]), of([other, secret])]).toEqual(['altered', 'valid']);
  });

  it.each(['../x', 'a?b#c', 'קובץ.pdf', '..', ''])(
    'has a name that is one part of a path: %j',
    (filename) => {
      const { pathname } = new URL(addresses.addressOf({ ...file, filename }, now));
      expect(pathname.split('/')).toHaveLength(9);
    },
  );
});
