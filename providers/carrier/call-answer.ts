import VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js';

/** What a caller hears, and what the carrier does. Addresses are absolute; those that answer with steps get a POST. */
export type CallStep =
  /** Joins the call with a media socket, until that closes it; then the next step follows. */
  | {
      do: 'stream';
      /** `wss`, without a query, which the carrier would leave out. */
      url: string;
      /** Come back in the `start` of the stream. */
      parameters: Record<string, string>;
      /** Gets `stream-started`, `stream-stopped` and `stream-error`. */
      statusCallback?: string;
    }
  /**
   * Joins the call with a socket of text: the carrier writes down what the person says, and speaks what it is sent.
   * https://www.twilio.com/docs/voice/twiml/connect/conversationrelay
   */
  | {
      do: 'relay';
      /** `wss`. */
      url: string;
      /** Come back in the `setup` of the session. */
      parameters: Record<string, string>;
      /** Gets `SessionStatus` when the session has ended, and answers what follows: no later step does. */
      resultUrl: string;
      /** A tag such as `de-DE`, of what is said and heard; absent: `en-US`. */
      language?: string;
      /** A voice of the carrier for the language; absent: its usual one. */
      voice?: string;
    }
  /** Joins the call with another phone. */
  | {
      do: 'dial';
      number: string;
      /** A number of the account, or the caller's; absent: the caller's. */
      callerId?: string;
      ringSeconds?: number;
      maxSeconds?: number;
      /** Answers what the other phone hears before both are joined: only words, sounds and pauses. */
      announceUrl?: string;
      /** Gets `DialCallStatus`, and answers what follows: no later step does. */
      resultUrl: string;
    }
  | { do: 'say'; text: string; language?: string; voice?: string }
  /** A recording at this address. */
  | { do: 'play'; url: string }
  /** Says words until a key is pressed, and tells the address the key: nothing, if there was none for so long after the words. */
  | {
      do: 'ask_key';
      words: readonly { text: string; language: string }[];
      seconds: number;
      resultUrl: string;
    }
  | { do: 'pause'; seconds: number }
  /** Asks this address what follows: no later step does. */
  | { do: 'redirect'; url: string }
  /** Only as the first step, of an inbound call: it is never answered, and costs nothing. */
  | { do: 'reject'; reason: 'rejected' | 'busy' }
  | { do: 'hang_up' };

/** The longest text of one `<Say>`. https://www.twilio.com/docs/voice/twiml/say#limits */
const LONGEST_TEXT = 4_096;

/** The answer to a request for instructions, as TwiML; its media type is `text/xml`. */
export function answerCall(steps: readonly CallStep[]): string {
  const response = new VoiceResponse();
  for (const step of steps) add(response, step);
  return response.toString();
}

function add(response: VoiceResponse, step: CallStep): void {
  switch (step.do) {
    case 'stream':
      addStream(response, step);
      return;
    case 'relay':
      addRelay(response, step);
      return;
    case 'dial':
      addDial(response, step);
      return;
    case 'say':
      for (const part of spoken(step.text)) response.say(sayAttributes(step), part);
      return;
    case 'ask_key':
      addQuestion(response, step);
      return;
    case 'play':
      response.play(step.url);
      return;
    case 'pause':
      response.pause({ length: step.seconds });
      return;
    case 'redirect':
      response.redirect({ method: 'POST' }, step.url);
      return;
    case 'reject':
      response.reject({ reason: step.reason });
      return;
    case 'hang_up':
      response.hangup();
  }
}

function addStream(response: VoiceResponse, step: Extract<CallStep, { do: 'stream' }>): void {
  const { url, parameters, statusCallback } = step;
  const reports =
    statusCallback === undefined ? {} : { statusCallback, statusCallbackMethod: 'POST' as const };
  const stream = response.connect().stream({ url, ...reports });
  for (const [name, value] of Object.entries(parameters)) stream.parameter({ name, value });
}

/** Keys are told, speech and keys interrupt, and the beginning and the end of what is heard are told. */
const relayed = { interruptible: 'any', dtmfDetection: true, events: 'speaker-events' } as const;

function addRelay(response: VoiceResponse, step: Extract<CallStep, { do: 'relay' }>): void {
  const { url, parameters, resultUrl, ...spoken } = step;
  const relay = response
    .connect({ action: resultUrl, method: 'POST' })
    .conversationRelay({ url, ...sayAttributes(spoken), ...relayed });
  for (const [name, value] of Object.entries(parameters)) relay.parameter({ name, value });
}

function addDial(response: VoiceResponse, step: Extract<CallStep, { do: 'dial' }>): void {
  const { number, callerId, ringSeconds, maxSeconds, announceUrl, resultUrl } = step;
  response
    .dial({
      action: resultUrl,
      method: 'POST',
      ...(callerId === undefined ? {} : { callerId }),
      ...(ringSeconds === undefined ? {} : { timeout: ringSeconds }),
      ...(maxSeconds === undefined ? {} : { timeLimit: maxSeconds }),
    })
    .number(announceUrl === undefined ? {} : { url: announceUrl, method: 'POST' }, number);
}

/** https://www.twilio.com/docs/voice/twiml/gather */
function addQuestion(response: VoiceResponse, step: Extract<CallStep, { do: 'ask_key' }>): void {
  const { words, seconds, resultUrl } = step;
  const gather = response.gather({
    input: ['dtmf'],
    numDigits: 1,
    finishOnKey: '',
    timeout: seconds,
    actionOnEmptyResult: true,
    action: resultUrl,
    method: 'POST',
  });
  for (const { text, language } of words) {
    for (const part of spoken(text)) gather.say(sayAttributes({ language }), part);
  }
}

type SayAttributes = Exclude<Parameters<VoiceResponse['say']>[0], string>;

/** The package lists the voices and languages of its time; the carrier may know others. */
function sayAttributes({ language, voice }: { language?: string; voice?: string }): SayAttributes {
  const attributes = {
    ...(language === undefined ? {} : { language }),
    ...(voice === undefined ? {} : { voice }),
  };
  return attributes as SayAttributes;
}

/** Texts of `<Say>`, cut at spaces, without the characters that XML cannot contain: the package throws on those. */
function spoken(text: string): string[] {
  const clean = text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, ' ');
  const parts: string[] = [];
  let rest = clean.trim();
  while (rest.length > LONGEST_TEXT) {
    const space = rest.lastIndexOf(' ', LONGEST_TEXT);
    const end = space > 0 ? space : wholeCharacters(rest, LONGEST_TEXT);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  return rest === '' ? parts : [...parts, rest];
}

/** The end of a part that does not cut a surrogate pair. */
function wholeCharacters(text: string, end: number): number {
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end;
}
