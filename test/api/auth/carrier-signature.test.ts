import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import type { CarrierVerifier } from '../../../api/auth/check-carrier-signature.js';
import { carrierSignature } from '../../../api/http/access.js';
import { defineRoute } from '../../../api/http/define-route.js';
import { startApi } from '../../support/api/api.js';
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

const api = useApiOn(() => noDatabase, {
  routes: [callback],
  carrier,
  publicUrl: 'https://public.example.com',
});

const form = { MessageStatus: 'sent', Unknown: 'x', 'Dotted.Name': 'y', 'List[0]': 'z' };
const refused = { status: 401, body: { code: 'invalid_signature' } };

describe('the carrier signature check', () => {
  it('covers the public address, path, query and all fields', async () => {
    const headers = { 'X-Twilio-Signature': right };
    const answer = await api.request('POST', '/callbacks/7', { headers, form, query: { attempt: 2 } });
    expect(answer.status).toBe(204);
    expect(seen.at(-1)).toEqual({
      signature: right,
      url: 'https://public.example.com/api/v2/callbacks/7?attempt=2',
      params: form,
    });
  });

  it('returns 401 for a wrong signature', async () => {
    const headers = { 'X-Twilio-Signature': `${'b'.repeat(27)}=` };
    expect(await api.request('POST', '/callbacks/7', { headers, form })).toMatchObject(refused);
  });

  it('returns 401 for a missing signature', async () => {
    expect(await api.request('POST', '/callbacks/7', { form })).toMatchObject(refused);
  });

  it('rejects a missing signature before the body is read', async () => {
    const body = { MessageStatus: 'sent' };
    expect(await api.request('POST', '/callbacks/7', { body })).toMatchObject(refused);
    const huge = { MessageStatus: 'x'.repeat(1_100_000) };
    expect(await api.request('POST', '/callbacks/7', { form: huge })).toMatchObject(refused);
  });

  it('runs before the validation of the fields', async () => {
    expect(await api.request('POST', '/callbacks/7', { form: {} })).toMatchObject(refused);
  });

  it('returns 401 when no carrier is configured', async () => {
    const without = await startApi(noDatabase, { routes: [callback] });
    const headers = { 'X-Twilio-Signature': right };
    expect(await without.request('POST', '/callbacks/7', { headers, form })).toMatchObject(refused);
    await without.close();
  });
});
