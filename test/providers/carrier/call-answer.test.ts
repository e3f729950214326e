import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { answerCall, type CallStep } from '../../../providers/carrier/call-answer.js';

const head = '<?xml version="1.0" encoding="UTF-8"?>';
const answer = (...steps: CallStep[]) => answerCall(steps).slice(head.length);

/** The texts between tags, as a strict parser reads them. */
function texts(xml: string): string[] {
  const read: string[] = [];
  const parser = new SaxesParser();
  parser.on('text', (text) => read.push(text));
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return read.filter((text) => text !== '');
}

describe('answerCall', () => {
  test('joins the call with a stream, and asks what follows when that has closed', () => {
    const xml = answer(
      {
        do: 'stream',
        url: 'wss://media.example/api/v2/call-streams',
        parameters: { token: 'a"<&b', call: '1' },
        statusCallback: 'https://service.example/stream-status?a=1&b=2',
      },
      { do: 'redirect', url: 'https://service.example/continue?a=1&b=2' },
    );
    expect(xml).toBe(
      '<Response><Connect><Stream url="wss://media.example/api/v2/call-streams" ' +
        'statusCallback="https://service.example/stream-status?a=1&amp;b=2" statusCallbackMethod="POST">' +
        '<Parameter name="token" value="a&quot;&lt;&amp;b"/><Parameter name="call" value="1"/></Stream></Connect>' +
        '<Redirect method="POST">https://service.example/continue?a=1&amp;b=2</Redirect></Response>',
    );
  });

  test('joins the call with a socket of text, and asks what follows when its session has ended', () => {
    const relay = {
      do: 'relay',
      url: 'wss://media.example/api/v2/call-streams',
      parameters: { token: 'a"<&b' },
      resultUrl: 'https://service.example/continue?a=1&b=2',
    } as const;
    const start =
      '<Response><Connect action="https://service.example/continue?a=1&amp;b=2" method="POST">' +
      '<ConversationRelay url="wss://media.example/api/v2/call-streams" ';
    const end =
      'interruptible="any" dtmfDetection="true" events="speaker-events">' +
      '<Parameter name="token" value="a&quot;&lt;&amp;b"/></ConversationRelay></Connect></Response>';
    expect(answer(relay)).toBe(`${start}${end}`);
    const german = answer({ ...relay, language: 'de-DE', voice: 'Vicki' });
    expect(german).toBe(`${start}language="de-DE" voice="Vicki" ${end}`);
  });

  test.each<[CallStep, string]>([
    [
      { do: 'dial', number: '+15550100003', resultUrl: 'https://service.example/result' },
      '<Dial action="https://service.example/result" method="POST"><Number>+15550100003</Number></Dial>',
    ],
    [
      {
        do: 'dial',
        number: '+15550100003',
        resultUrl: 'https://service.example/result',
        callerId: '+15550100001',
        ringSeconds: 20,
        maxSeconds: 600,
      },
      '<Dial action="https://service.example/result" method="POST" callerId="+15550100001" timeout="20" ' +
        'timeLimit="600"><Number>+15550100003</Number></Dial>',
    ],
    [
      {
        do: 'ask_key',
        words: [
          { text: 'Dies & das.', language: 'de-DE' },
          { text: 'Press 1.', language: 'en-US' },
        ],
        seconds: 6,
        resultUrl: 'https://service.example/consent?a=1&b=2',
      },
      '<Gather input="dtmf" numDigits="1" finishOnKey="" timeout="6" actionOnEmptyResult="true" ' +
        'action="https://service.example/consent?a=1&amp;b=2" method="POST">' +
        '<Say language="de-DE">Dies &amp; das.</Say><Say language="en-US">Press 1.</Say></Gather>',
    ],
    [{ do: 'say', text: 'Tea & <cake>' }, '<Say>Tea &amp; &lt;cake&gt;</Say>'],
    [
      { do: 'say', text: 'Guten Tag', language: 'de-DE', voice: 'Polly.Vicki' },
      '<Say language="de-DE" voice="Polly.Vicki">Guten Tag</Say>',
    ],
    [{ do: 'play', url: 'https://service.example/a.wav' }, '<Play>https://service.example/a.wav</Play>'],
    [{ do: 'pause', seconds: 2 }, '<Pause length="2"/>'],
    [{ do: 'reject', reason: 'busy' }, '<Reject reason="busy"/>'],
    [{ do: 'hang_up' }, '<Hangup/>'],
  ])('writes %o', (step, xml) => {
    expect(answer(step)).toBe(`<Response>${xml}</Response>`);
  });

  test('answers without a step, which ends the call', () => {
    expect(answer()).toBe('<Response/>');
  });

  test('leaves out of a text what XML cannot contain', () => {
    const text = 'One\u0000\u0008two \ud800three \u{1f600}\ufffe';
    expect(texts(answerCall([{ do: 'say', text }]))).toEqual(['One  two  three \u{1f600}']);
  });

  test('says a long text in parts that the carrier takes, and no word of it twice', () => {
    const text = Array.from({ length: 3_000 }, (_, index) => `word${index}`).join(' ');
    const parts = texts(answerCall([{ do: 'say', text }]));
    expect(parts.join(' ')).toBe(text);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(4_096);

    const unbroken = texts(answerCall([{ do: 'say', text: '\u{1f600}'.repeat(2_049) }]));
    expect(unbroken.map((part) => part.length)).toEqual([4_096, 2]);
    expect(texts(answerCall([{ do: 'say', text: `a${'\u{1f600}'.repeat(2_048)}` }]))[0]).toHaveLength(4_095);
  });
});
