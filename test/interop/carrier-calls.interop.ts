import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import twilio from 'twilio';
import { beforeAll, describe, expect, it } from 'vitest';
import { answerCall, type CallStep } from '../../providers/carrier/call-answer.js';
import { TwilioCarrier } from '../../providers/carrier/twilio-carrier.js';
import { installPythonTools } from './support/python-tools.js';

const token = '12345678901234567890123456789012';
const carrier = new TwilioCarrier({ accountSid: `AC${'0'.repeat(32)}`, authToken: token });

let python: string;
beforeAll(async () => {
  python = resolve(await installPythonTools(), 'python');
});

interface Signed {
  url: string;
  params: Record<string, string>;
}

interface Question {
  sign?: Signed[];
  check?: (Signed & { signature: string })[];
  answers?: string[];
}

interface Answer {
  signatures: string[];
  accepted: boolean[];
  rebuilt: string[];
  canonical: string[];
}

async function ask({ sign = [], check = [], answers = [] }: Question): Promise<Answer> {
  const child = spawn(python, ['test/interop/carrier/ask_carrier_package.py'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify({ token, sign, check, answers }));
  return JSON.parse(await readAll(child.stdout)) as Answer;
}

const form = {
  CallSid: `CA${'1'.repeat(32)}`,
  CallStatus: 'in-progress',
  From: '+15555550123',
  To: '+15550100100',
};
const requests: [string, Signed][] = [
  [
    'a form to the handler',
    { url: 'https://desk.example/api/v2/w/u/chats/outbound-call-handler/1/2/3', params: form },
  ],
  [
    'a GET with a query',
    { url: 'https://desk.example/api/v2/handler?CallSid=CA1&From=%2B15555550123', params: {} },
  ],
  [
    'a form with an empty field and signs',
    { url: 'https://desk.example/x', params: { ...form, Digits: '', Speech: 'é & <b>' } },
  ],
  ['an upgrade', { url: 'wss://desk.example/api/v2/call-streams', params: {} }],
  ['an upgrade with a port', { url: 'wss://desk.example:8443/api/v2/call-streams', params: {} }],
  ['an address that ends with a slash', { url: 'https://desk.example/api/v2/x/', params: form }],
];

describe("the carrier's Python package", () => {
  it.each(requests)(
    'signs %s as the service checks it, which refuses what was altered',
    async (_, signed) => {
      const { signatures } = await ask({ sign: [signed] });
      const signature = signatures[0] ?? '';
      expect(carrier.verifySignature({ ...signed, signature })).toBe(true);
      const altered: Signed[] = [
        { ...signed, url: `${signed.url}x` },
        { ...signed, url: signed.url.replace('desk', 'desc') },
        { ...signed, params: { ...signed.params, CallStatus: 'completed' } },
        { ...signed, params: { ...signed.params, Added: '1' } },
      ];
      for (const one of altered)
        expect(carrier.verifySignature({ ...one, signature }), JSON.stringify(one)).toBe(false);
    },
  );

  it.each(requests)('accepts the signature of the Node package for %s', async (_, signed) => {
    const signature = twilio.getExpectedTwilioSignature(token, signed.url, signed.params);
    const other = twilio.getExpectedTwilioSignature(`${token}x`, signed.url, signed.params);
    const { accepted } = await ask({
      check: [
        { ...signed, signature },
        { ...signed, signature: other },
      ],
    });
    expect(accepted).toEqual([true, false]);
  });

  const stream: CallStep = {
    do: 'stream',
    url: 'wss://desk.example/api/v2/call-streams',
    parameters: { token: 'a.b+c/d=', call: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f07' },
    statusCallback: 'https://desk.example/api/v2/w/u/carrier-calls/c/stream-status',
  };
  const answers: [string, CallStep[]][] = [
    [
      'a stream, and what follows',
      [stream, { do: 'redirect', url: 'https://desk.example/continue?a=1&b=2' }],
    ],
    [
      'a session of text',
      [
        {
          do: 'relay',
          url: 'wss://desk.example/api/v2/call-streams',
          parameters: { token: 'a.b+c/d=', call: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f07' },
          resultUrl: 'https://desk.example/continue?a=1&b=2',
          language: 'de-DE',
          voice: 'Vicki',
        },
      ],
    ],
    [
      'a transfer',
      [
        {
          do: 'dial',
          number: '+15550100110',
          callerId: '+15550100100',
          ringSeconds: 25,
          maxSeconds: 3600,
          announceUrl: 'https://desk.example/announcement',
          resultUrl: 'https://desk.example/dial-result',
        },
      ],
    ],
    [
      'words with signs',
      [
        { do: 'say', text: 'Até <logo> & "adeus"', language: 'pt-PT', voice: 'Polly.Ines' },
        { do: 'pause', seconds: 1 },
        { do: 'hang_up' },
      ],
    ],
    [
      'a question by key',
      [
        {
          do: 'ask_key',
          words: [
            { text: 'Ça & là <ici>', language: 'fr-FR' },
            { text: 'Press 1.', language: 'en-US' },
          ],
          seconds: 6,
          resultUrl: 'https://desk.example/consent?a=1&b=2',
        },
      ],
    ],
    ['a recording', [{ do: 'play', url: 'https://desk.example/beep.wav' }]],
    ['a refusal', [{ do: 'reject', reason: 'busy' }]],
    ['nothing', []],
  ];

  it.each(answers)('builds %s with the same verbs, nouns and attributes', async (_, steps) => {
    const { rebuilt, canonical } = await ask({ answers: [answerCall(steps)] });
    expect(rebuilt).toEqual(canonical);
  });
});
