import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CarrierBusy, CarrierUnusable } from '../../../providers/carrier/carrier.js';
import { TwilioCarrier } from '../../../providers/carrier/twilio-carrier.js';
import {
  DEFAULT_ACCOUNT_SID as accountSid,
  DEFAULT_AUTH_TOKEN as authToken,
  startCarrierSimulator,
} from '../../../tools/simulators/carrier/start-carrier-simulator.js';
import type { RunningSimulator } from '../../../tools/simulators/support/serve.js';
import { ask } from '../../tools/simulators/simulator-client.js';
import { closedPort, startServer } from '../misbehaving-server.js';

let simulator: RunningSimulator;

beforeEach(async () => {
  simulator = await startCarrierSimulator({ port: 0 });
});
afterEach(() => simulator.close());

const carrierAt = (apiBaseUrl: string) => new TwilioCarrier({ accountSid, authToken, apiBaseUrl });
const message = { from: '+15550100001', to: '+15550100002', body: 'Your appointment is at nine.' };
const unknownId = `SM${'0'.repeat(32)}`;

describe('smsStatus', () => {
  test('reports a delivered message', async () => {
    const carrier = carrierAt(simulator.url);
    const { carrierMessageId } = await carrier.sendSms(message);

    await expect
      .poll(() => carrier.smsStatus(carrierMessageId))
      .toEqual({ carrierMessageId, status: 'delivered' });
  });

  test('reports an undelivered message with its error code', async () => {
    await ask(simulator.url, 'POST', '/simulator/knobs', { failing: { code: 30005, rate: true } });
    const carrier = carrierAt(simulator.url);
    const { carrierMessageId } = await carrier.sendSms(message);

    await expect
      .poll(() => carrier.smsStatus(carrierMessageId))
      .toEqual({ carrierMessageId, status: 'undelivered', errorCode: '30005' });
  });

  test('returns undefined for a message that the carrier does not know', async () => {
    await expect(carrierAt(simulator.url).smsStatus(unknownId)).resolves.toBeUndefined();
  });

  test.each([
    ['is down', 500],
    ['has no room', 429],
  ])('fails as busy when the carrier %s', async (_, status) => {
    const url = await startServer((_request, response) => response.writeHead(status).end());

    await expect(carrierAt(url).smsStatus(unknownId)).rejects.toBeInstanceOf(CarrierBusy);
  });

  test('fails as busy when the carrier cannot be reached or its answer cannot be read', async () => {
    const garbled = await startServer((_request, response) => response.writeHead(200).end('{'));

    await expect(
      carrierAt(`http://127.0.0.1:${await closedPort()}`).smsStatus(unknownId),
    ).rejects.toBeInstanceOf(CarrierBusy);
    await expect(carrierAt(garbled).smsStatus(unknownId)).rejects.toBeInstanceOf(CarrierBusy);
  });

  test('fails as unusable with wrong credentials, which is different from an unknown message', async () => {
    const stranger = new TwilioCarrier({ accountSid, authToken: 'another', apiBaseUrl: simulator.url });

    await expect(stranger.smsStatus(unknownId)).rejects.toBeInstanceOf(CarrierUnusable);
  });
});
