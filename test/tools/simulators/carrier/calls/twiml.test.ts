import { describe, expect, test } from 'vitest';
import { answerCall } from '../../../../../providers/carrier/call-answer.js';
import type { Step } from '../../../../../tools/simulators/carrier/calls/plan.js';
import { readTwiml } from '../../../../../tools/simulators/carrier/calls/read-twiml.js';
import { startAnswering } from '../../../../providers/misbehaving-server.js';
import { colleague, handset, number, useCalls } from './simulated-calls.js';
import { eventually } from './voice-service.js';

const codes = (xml: string) => {
  const read = readTwiml(xml);
  return 'failure' in read ? read.failure.code : read.problems.map(({ code }) => code);
};

describe('readTwiml', () => {
  test.each([
    ['', 12100],
    ['Hello', 12100],
    ['<Response><Say>Hello</Response>', 12100],
    ['<Response><Say>Tea & cake</Say></Response>', 12100],
    ['<Response/><Response/>', 12100],
    ['<Reply/>', 12102],
    [`<Response><Say>${'x'.repeat(65_536)}</Say></Response>`, 11750],
  ])('fails on %s', (xml, code) => {
    expect(codes(xml)).toBe(code);
  });

  test.each([
    '<Response><say>Hello</say></Response>',
    '<Response><Stream url="wss://media.example"/></Response>',
    '<Response><Say tone="low">Hello</Say></Response>',
    '<Response>Hello</Response>',
    '<Response><Connect><Stream><Say>Hello</Say></Stream></Connect></Response>',
  ])('warns of %s', (xml) => {
    expect(codes(xml)).toEqual([12200]);
  });

  test('takes all that the service writes', () => {
    const url = 'https://service.example/?a=1&b=2';
    const xml = answerCall([
      { do: 'reject', reason: 'busy' },
      { do: 'say', text: 'Tea & <cake>', language: 'en-GB', voice: 'Polly.Amy' },
      { do: 'play', url },
      { do: 'pause', seconds: 1 },
      { do: 'stream', url: 'wss://media.example', parameters: { token: '"' }, statusCallback: url },
      { do: 'dial', number, callerId: handset, ringSeconds: 1, maxSeconds: 1, resultUrl: url },
      { do: 'redirect', url },
      { do: 'hang_up' },
    ]);
    expect(codes(xml)).toEqual([]);
    const read = readTwiml(xml);
    const texts = 'verbs' in read ? read.verbs.map(({ text }) => text) : [];
    expect(texts).toEqual(['', 'Tea & <cake>', url, '', '', '', url, '']);
  });
});

const calls = useCalls();

const answering = async (twiml: string) => {
  calls.service.answer('/handler', twiml);
  await calls.dial();
  return calls.ended();
};
const alertsOf = (call: { alerts: { code: number }[] }) => call.alerts.map(({ code }) => code);

describe('a document that the carrier simulator is answered with', () => {
  test.each([
    [
      11200,
      () => calls.service.answer('/handler', (response) => response.writeHead(302, { location: '/x' }).end()),
    ],
    [11200, () => calls.service.answer('/handler', (response) => response.destroy())],
    [12300, () => calls.service.answer('/handler', (response) => response.end('<Response/>'))],
    [12100, () => calls.service.answer('/handler', '<Say>')],
  ])('ends the call with alert %i if it cannot be had or read', async (code, prepare) => {
    prepare();
    await calls.dial();
    expect(await calls.ended()).toMatchObject({ status: 'completed', heard: [], alerts: [{ code }] });
  });

  test('may be the whole answer: the call ends with its last verb', async () => {
    expect(await answering('<Say>One</Say><Say>Two</Say>')).toMatchObject({
      status: 'completed',
      heard: [{ say: 'One' }, { say: 'Two' }],
    });
  });

  test('redirects to an address relative to its own, and not in circles without end', async () => {
    calls.service.answer('/handler', '<Redirect method="GET">/next</Redirect><Say>Never</Say>');
    calls.service.answer('/next', '<Say>Next</Say>');
    await calls.dial();
    expect((await calls.ended()).heard).toMatchObject([{ say: 'Next' }]);
    expect(calls.service.to('/next')[0]?.method).toBe('GET');

    calls.service.answer('/handler', '<Redirect>/handler</Redirect>');
    await calls.dial();
    await eventually(async () => alertsOf(await calls.ended(1))).toEqual([11215]);
  });

  test('plays a recording that is one', async () => {
    const [audio, page] = [
      await startAnswering(200, 'x', 'audio/wav'),
      await startAnswering(200, 'x', 'text/html'),
    ];
    const call = await answering(`<Play>${audio}/</Play><Play>${page}</Play>`);
    expect(call).toMatchObject({ heard: [{ play: `${audio}/` }], alerts: [{ code: 12300 }] });
  });

  test('cannot reject a call that is answered', async () => {
    expect(await answering('<Reject/><Say>On</Say>')).toMatchObject({
      heard: [{ say: 'On' }],
      alerts: [{ code: 12200 }],
    });
  });

  test('speaks as long as a text takes, by the knob', async () => {
    await calls.turn({ msPerCharacter: 100_000 });
    calls.service.answer('/handler', '<Say>Hello</Say>');
    const { carrierCallId } = await calls.dial();
    await eventually(async () => (await calls.call()).heard.length).toBe(1);
    expect((await calls.call()).status).toBe('in-progress');
    await calls.carrier.calls.end(carrierCallId);
  });
});

describe('Gather at the carrier simulator', () => {
  const gather = (more = '') =>
    `<Gather action="${calls.service.url}/result" numDigits="1" timeout="5" ${more}><Say>Press 1</Say></Gather><Say>Never</Say>`;
  const answeredBy = async (steps: Step[], more?: string) => {
    calls.service.answer('/handler', gather(more));
    calls.service.answer('/result', '<Say>Thanks</Say>');
    await calls.plan({ speed: 20, script: steps });
    await calls.dial();
    return calls.ended();
  };
  const told = () => calls.service.to('/result').map(({ fields }) => fields?.Digits);

  test('tells the keys to its action, and does nothing else after it', async () => {
    const call = await answeredBy([{ untilAsked: 1 }, { wait: 2_000 }, { keys: '12' }]);
    expect(call).toMatchObject({ heard: [{ say: 'Press 1' }, { say: 'Thanks' }], alerts: [] });
    expect(told()).toEqual(['1']);
  });

  test('goes on to the next verb without a key, or tells that there was none', async () => {
    expect((await answeredBy([])).heard).toMatchObject([{ say: 'Press 1' }, { say: 'Never' }]);
    expect(told()).toEqual([]);
  });

  test('tells its action that there was no key, if it is asked to', async () => {
    const call = await answeredBy([], 'actionOnEmptyResult="true"');
    expect(call.heard).toMatchObject([{ say: 'Press 1' }, { say: 'Thanks' }]);
    expect(told()).toEqual(['']);
  });
});

describe('Dial at the carrier simulator', () => {
  const dial = (more = '') =>
    `<Dial action="${calls.service.url}/result" ${more}><Number>${colleague}</Number></Dial><Say>Never</Say>`;
  const result = async () => {
    await eventually(() => calls.service.to('/result').length).toBe(1);
    return calls.service.to('/result')[0]?.fields;
  };

  test.each(['busy', 'no-answer', 'failed'] as const)(
    'tells that the other phone was %s, and goes on',
    async (outcome) => {
      await calls.plan({ outcome }, colleague);
      calls.service.answer('/result', '<Say>Sorry</Say>');
      const call = await answering(dial());
      expect(await result()).toMatchObject({
        CallSid: call.sid,
        CallStatus: 'in-progress',
        DialCallStatus: outcome,
        DialCallDuration: '0',
        DialBridged: 'false',
      });
      expect(call.heard).toMatchObject([{ say: 'Sorry' }]);
      const leg = await calls.call(1);
      expect(leg).toMatchObject({
        direction: 'outbound-dial',
        parentSid: call.sid,
        status: outcome,
        to: colleague,
      });
      expect(leg.history.map(({ status }) => status)).toEqual(['ringing', outcome]);
    },
  );

  test('tells how long both spoke', async () => {
    await calls.plan({ script: [{ wait: 200 }, { hangUp: true }] }, colleague);
    calls.service.answer('/result', '<Hangup/>');
    const call = await answering(dial());
    const leg = await calls.call(1);
    const answered = {
      DialCallStatus: 'completed',
      DialCallSid: leg.sid,
      DialCallDuration: '1',
      DialBridged: 'true',
    };
    expect(await result()).toMatchObject(answered);
    expect(call.status).toBe('completed');
  });

  test('gives up ringing after its time', async () => {
    await calls.plan({ afterMs: 60_000, speed: 1_000 }, colleague);
    calls.service.answer('/result', '<Hangup/>');
    await answering(dial('timeout="20"'));
    expect(await result()).toMatchObject({ DialCallStatus: 'no-answer' });
  });

  test('tells as well that the caller has left while it rang', async () => {
    await calls.plan({ afterMs: 600_000 }, colleague);
    calls.service.answer('/handler', dial());
    calls.service.answer('/result', '<Say>Never</Say>');
    await calls.dial();
    await eventually(async () => (await calls.calls()).length).toBe(2);
    await calls.run([{ hangUp: true }]);
    expect(await result()).toMatchObject({ CallStatus: 'completed', DialCallStatus: 'canceled' });
    expect(await calls.ended()).toMatchObject({ status: 'completed', heard: [] });
  });

  test('is left when the call goes elsewhere, which ends the other', async () => {
    calls.service.answer('/handler', dial());
    const { carrierCallId } = await calls.dial();
    await eventually(async () => (await calls.call(1))?.status).toBe('in-progress');
    await calls.carrier.calls.redirect(carrierCallId, { twiml: '<Response><Say>Back</Say></Response>' });
    expect((await calls.ended()).heard).toMatchObject([{ say: 'Back' }]);
    expect((await calls.call(1)).status).toBe('completed');
    expect(calls.service.to('/result')).toEqual([]);
  });

  test('fails with a caller id that is not the account’s, and with a number that is none', async () => {
    calls.service.answer('/result', '<Hangup/>');
    expect(alertsOf(await answering(dial('callerId="+15550100009"')))).toEqual([13214]);
    expect(await result()).toMatchObject({ DialCallStatus: 'failed' });
    calls.service.answer('/handler', '<Dial>nobody</Dial><Say>On</Say>');
    await calls.dial();
    expect(await calls.ended(1)).toMatchObject({ heard: [{ say: 'On' }], alerts: [{ code: 13223 }] });
  });
});
