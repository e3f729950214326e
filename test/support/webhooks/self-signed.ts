import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** PEM, both. */
export type SelfSigned = { key: string; cert: string };

/**
 * A certificate that vouches for itself, written out in DER (X.690) as RFC 5280 has it: Node can read certificates but
 * not make them.
 *
 * @param names host names it is valid for
 */
export function makeSelfSigned(
  names: readonly string[],
  { notBefore = yearsFromNow(-1), notAfter = yearsFromNow(1) }: { notBefore?: Date; notAfter?: Date } = {},
): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = sequence(set(sequence(oid(2, 5, 4, 3), utf8('Test receiver'))));
  const alternatives = sequence(...names.map((name) => tlv(0x82, Buffer.from(name, 'ascii'))));
  const toBeSigned = sequence(
    tlv(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    issuer,
    sequence(time(notBefore), time(notAfter)),
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(sequence(oid(2, 5, 29, 17), tlv(0x04, alternatives)))),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const certificate = sequence(
    toBeSigned,
    ecdsaWithSha256,
    tlv(0x03, Buffer.concat([Buffer.from([0]), signature])),
  );
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: pem(certificate) };
}

function yearsFromNow(years: number): Date {
  return new Date(Date.now() + years * 365 * 86_400_000);
}

/** A tag, the length of its value, and the value. */
function tlv(tag: number, value: Buffer): Buffer {
  if (value.length < 0x80) return Buffer.concat([Buffer.from([tag, value.length]), value]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(value.length);
  return Buffer.concat([Buffer.from([tag, 0x82]), length, value]);
}

function sequence(...items: Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(items));
}

function set(...items: Buffer[]): Buffer {
  return tlv(0x31, Buffer.concat(items));
}

function integer(value: Buffer): Buffer {
  return tlv(0x02, value);
}

function utf8(text: string): Buffer {
  return tlv(0x0c, Buffer.from(text, 'utf8'));
}

/** As `GeneralizedTime`: 20260101120000Z. */
function time(at: Date): Buffer {
  return tlv(0x18, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(0, 14)}Z`, 'ascii'));
}

/** The first two numbers share a byte; each further one has seven bits in each of its bytes. */
function oid(first: number, second: number, ...rest: number[]): Buffer {
  const bytes = rest.flatMap((number) => {
    const septets = [number & 0x7f];
    for (let left = number >> 7; left > 0; left >>= 7) septets.unshift((left & 0x7f) | 0x80);
    return septets;
  });
  return tlv(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

const ecdsaWithSha256 = sequence(oid(1, 2, 840, 10_045, 4, 3, 2));

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
