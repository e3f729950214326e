import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import Type, { type Static } from 'typebox';

const spoiltTokens = [
  'wrong_issuer',
  'wrong_nonce',
  'wrong_audience',
  'two_audiences',
  'expired',
  'forged',
  'missing',
  'no_subject',
] as const;
type SpoiltToken = (typeof spoiltTokens)[number];

/** What the provider does wrong until it is told otherwise. */
export const Faults = Type.Partial(
  Type.Object(
    {
      /** The ID token names another issuer, nonce, or audience; one more audience; or has expired. */
      token: Type.Unsafe<SpoiltToken>({ type: 'string', enum: [...spoiltTokens] }),
      /** How old the ID token says that it is. */
      clockSkewSeconds: Type.Integer(),
      /** Every answer but those of the control API waits for so long. */
      latencyMs: Type.Integer({ minimum: 0 }),
      /** Every answer but those of the control API is this error. */
      status: Type.Integer({ minimum: 400, maximum: 599 }),
      /** The discovery document names another issuer. */
      discoveryIssuer: Type.String(),
      /** The answer of this many bytes is all there is. */
      bytes: Type.Integer({ minimum: 1 }),
      /** The discovery document is at this address instead. */
      redirect: Type.String(),
    },
    { additionalProperties: false },
  ),
);
export type Faults = Static<typeof Faults>;

/** Spoils the ID token in an answer of the token endpoint, and signs it again with the key of the provider. */
export function spoiled(body: string, mishaps: Faults, key: { kid: string; key: KeyObject }): string {
  const answer = JSON.parse(body);
  if (typeof answer.id_token !== 'string') return body;
  const [, payload = ''] = answer.id_token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const skew = mishaps.clockSkewSeconds ?? 0;
  Object.assign(claims, { iat: claims.iat + skew, exp: claims.exp + skew });
  let signing = key.key;
  switch (mishaps.token) {
    case 'wrong_issuer':
      claims.iss = 'https://other.example.com';
      break;
    case 'wrong_nonce':
      claims.nonce = 'another';
      break;
    case 'wrong_audience':
      claims.aud = 'another-client';
      break;
    case 'two_audiences':
      claims.azp = claims.aud;
      claims.aud = [claims.aud, 'another-client'];
      break;
    case 'expired':
      claims.exp = claims.iat - 600;
      break;
    case 'forged':
      claims.sub = 'somebody-else';
      signing = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
      break;
    case 'no_subject':
      delete claims.sub;
      break;
    case 'missing':
      return JSON.stringify({ ...answer, id_token: undefined });
  }
  return JSON.stringify({ ...answer, id_token: signed(claims, key.kid, signing) });
}

function signed(claims: object, kid: string, key: KeyObject): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${part({ alg: 'RS256', typ: 'JWT', kid })}.${part(claims)}`;
  return `${content}.${createSign('RSA-SHA256').update(content).sign(key, 'base64url')}`;
}
