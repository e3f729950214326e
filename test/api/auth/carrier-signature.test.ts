import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import type { CarrierVerifier } from '../../../api/auth/check-carrier-signature.js';
import { carrierSignature } from '../../../api/http/access.js';
import { defineRoute } from '../../../api/http/define-route.js';
import { type ApiRequest, startApi } from '../../support/api/api.js';
import { useApiOn } from '../../support/api/use-api.js';
import { noDatabase } from '../../support/db/no-database.js';

const callback = defineRoute({
  operationId: 'callback',
  method: 'POST',
  path: '/callbacks/{thing_id}',
  tag: 'Health',
  summary: 'A callback',
  access: carrierSignature(),
  consumes: 'form',
  body: Type.Object({ MessageStatus: Type.String({ maxLength: 20 }) }),
  response: { status: 204 },
  handler: async () => {},
});

/** Has the form of a base64 HMAC-SHA1. */
const right = `${'a'.repeat(27)}=`;
const seen: Parameters<CarrierVerifier['verifySignature']>[0][] = [];
const carrier: CarrierVerifier = {
  verifySignature(request) {
    seen.push(request);
    return request.signature === right;
  },
};

const publicUrl = 'https://public.example.com';
const api = useApiOn(() => noDatabase, { routes: [callback], carrier, publicUrl });

const signed = { headers: { 'X-Twilio-Signature': right } };
const form = { MessageStatus: 'sent', Unknown: 'x', 'Dotted.Name': 'y', 'List[0]': 'z' };
const refused = { status: 401, body: { code: 'invalid_signature' } };

describe('the carrier signature check', () => {
  it('covers the public address, path, query and all fields', async () => {
    const answer = await api.request('POST', '/callbacks/7', { ...signed, form, query: { attempt: 2 } });
    expect(answer.status).toBe(204);
    expect(seen.at(-1)).toEqual({
      signature: right,
      url: 'https://public.example.com/api/v2/callbacks/7?attempt=2',
      params: form,
    });
  });

  it.each<[string, ApiRequest]>([
    ['a wrong signature', { headers: { 'X-Twilio-Signature': `${'b'.repeat(27)}=` }, form }],
    ['a missing signature', { form }],
    ['a missing signature, before the body is read', { body: { MessageStatus: 'sent' } }],
    ['a missing signature, before a huge body is read', { form: { MessageStatus: 'x'.repeat(1_100_000) } }],
    ['a missing signature, before the validation of the fields', { form: {} }],
  ])('returns 401 for %s', async (_what, request) => {
    expect(await api.request('POST', '/callbacks/7', request)).toMatchObject(refused);
  });

  it('returns 401 when no carrier is configured', async () => {
    const without = await startApi(noDatabase, { routes: [callback] });
    expect(await without.request('POST', '/callbacks/7', { ...signed, form })).toMatchObject(refused);
    await without.close();
  });
});
