import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { webhookHeaders } from '../../../../domain/events/webhooks/sign-webhook.js';

const eventUuid = '0b7f3a52-6a0c-4b39-9a34-3f2f1f6a9c11';
const body = '{"event":"member:updated","id":"0b7f3a52","member":{"name":"Zoë — ✓"}}';
const whsec = () => `whsec_${randomBytes(32).toString('base64')}`;
/** Signs at the present time, because the library compares the timestamp with the system clock. */
const sign = (secrets: readonly string[], more: { body?: string; at?: Date } = {}) =>
  webhookHeaders({ eventUuid, body, secrets, at: new Date(), ...more });

describe('webhookHeaders', () => {
  it('returns the reference headers for a fixed secret and time', () => {
    const headers = webhookHeaders({
      eventUuid: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      at: new Date(1_614_265_330_999),
    });
    // The signature is the one in the tests of the Standard Webhooks libraries.
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      'X-Webhook-Timestamp': '1614265330',
      'X-Webhook-Signature':
        't=1614265330,v1=2e37df5d4a028c51a7f3133d64ae1e300d2c2c900f1b1d49d4369ad2530f8964',
    });
  });

  it('returns id and timestamp without a signature when there is no secret', () => {
    expect(sign([], { at: new Date(5_000) })).toEqual({
      'webhook-id': eventUuid,
      'webhook-timestamp': '5',
      'X-Webhook-Timestamp': '5',
    });
  });
});

describe('the library of Standard Webhooks', () => {
  it('accepts the headers', () => {
    const secret = whsec();
    expect(new Webhook(secret).verify(body, sign([secret]))).toEqual(JSON.parse(body));
  });

  it('accepts the headers with a secret that is any text', () => {
    const secret = 'chosen-by-the-receiver';
    expect(new Webhook(secret, { format: 'raw' }).verify(body, sign([secret]))).toEqual(JSON.parse(body));
  });

  it('accepts the headers with either of two secrets', () => {
    const [fresh, old, another] = [whsec(), 'sixteen-bytes-of', whsec()];
    const headers = sign([fresh, old]);
    expect(new Webhook(fresh).verify(body, headers)).toBeTruthy();
    expect(new Webhook(old, { format: 'raw' }).verify(body, headers)).toBeTruthy();
    expect(() => new Webhook(another).verify(body, headers)).toThrow('No matching signature');
  });

  it('rejects the headers with another body, id or time', () => {
    const secret = whsec();
    const headers = sign([secret]);
    const webhook = new Webhook(secret);
    expect(() => webhook.verify(body.replace('Zoë', 'Zoe'), headers)).toThrow('No matching signature');
    expect(() => webhook.verify(body, { ...headers, 'webhook-id': 'another' })).toThrow('No matching');
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(() => webhook.verify(body, { ...headers, 'webhook-timestamp': later })).toThrow('No matching');
  });
});

describe('X-Webhook-Signature', () => {
  const expected = (secret: string, timestamp: string) =>
    createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');

  it('signs timestamp and body with the text of each secret', () => {
    const secrets = [whsec(), 'sixteen-bytes-of'];
    const headers = sign(secrets);
    const timestamp = String(headers['X-Webhook-Timestamp']);
    expect(headers['X-Webhook-Signature']).toBe(
      `t=${timestamp},${secrets.map((secret) => `v1=${expected(secret, timestamp)}`).join(',')}`,
    );
  });

  it('changes with each second', () => {
    const secret = whsec();
    const signatures = [0, 999, 1_000].map(
      (ms) => sign([secret], { at: new Date(ms) })['X-Webhook-Signature'],
    );
    expect(signatures[1]).toBe(signatures[0]);
    expect(signatures[2]).not.toBe(signatures[0]);
  });
});
