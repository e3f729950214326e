import { ask } from './ask-instructions.js';
import type { Instructions } from './call-store.js';
import type { LiveCall } from './live-call.js';
import type { Verb } from './read-twiml.js';
import { type RelayEnd, RelaySession, type RelaySettings } from './relay-session.js';
import { parametersOf, socketAddress } from './stream-verb.js';
import { addressIn, methodOf, type Next, type Place } from './verb-values.js';

/** Languages that are spoken and written down without a provider being named; the carrier's own list is longer. */
const languages: ReadonlySet<string> = new Set(
  (
    'ar-SA bg-BG ca-ES cs-CZ da-DK de-DE el-GR en-AU en-GB en-IN en-US es-ES es-MX es-US fi-FI fr-CA fr-FR hi-IN ' +
    'hu-HU id-ID it-IT ja-JP ko-KR nl-BE nl-NL no-NO pl-PL pt-BR pt-PT ro-RO ru-RU sk-SK sv-SE th-TH tr-TR uk-UA vi-VN'
  ).split(' '),
);

/** `<Connect><ConversationRelay>` joins the call with a session of text, and tells its `action` how that ended. */
export async function relayVerb(live: LiveCall, verb: Verb, { base, turn }: Place): Promise<Next> {
  const began = Date.now();
  const settings = settingsOf(live, verb);
  const session = settings && new RelaySession(live, settings);
  const end: RelayEnd = session === undefined ? { status: 'failed' } : await run(live, session, turn);
  if (end.error !== undefined) live.warn(end.error.code, end.error.message);
  const { action, method } = verb.attributes;
  const url = action === undefined ? undefined : addressIn(live, action, base);
  // A redirect by the API leaves the verb, and nobody is told.
  if (url === undefined || (turn.aborted && !live.over.aborted)) return undefined;
  const instructions: Instructions = {
    url,
    method: methodOf(method),
    fields: {
      SessionId: session?.record.sid ?? '',
      SessionStatus: end.status,
      SessionDuration: String(Math.ceil((Date.now() - began) / 1_000)),
      ...(end.handoffData === undefined ? {} : { HandoffData: end.handoffData }),
      ...(end.error === undefined
        ? {}
        : { ErrorCode: String(end.error.code), ErrorMessage: end.error.message }),
    },
  };
  if (!live.over.aborted) return instructions;
  // The person has left: it is told as well, and its answer has nobody to hear it.
  await ask(live, instructions);
  return undefined;
}

async function run(live: LiveCall, session: RelaySession, turn: AbortSignal): Promise<RelayEnd> {
  const { store } = live.exchange;
  const end = await session.run(turn, () => {
    store.change(live.call, { relays: [...live.call.relays, session.record] });
    live.begin(session);
  });
  live.stream = undefined;
  store.change(live.call, {});
  return end;
}

/** Undefined, with a warning: there is no session. */
function settingsOf(live: LiveCall, { children }: Verb): RelaySettings | undefined {
  const [element] = children;
  if (element === undefined || children.length > 1) {
    live.warn(12200, 'Schema validation warning: Connect contains one ConversationRelay');
    return undefined;
  }
  const { attributes } = element;
  const { language = 'en-US', interruptible = 'any', dtmfDetection, events = '' } = attributes;
  const url = socketAddress(live, attributes.url ?? '', 64_101);
  const parameters = parametersOf(live, element);
  if (url === undefined || parameters === undefined) return undefined;
  const interrupts =
    ({ true: 'any', false: 'none' } as Record<string, string>)[interruptible] ?? interruptible;
  const problem = languages.has(language)
    ? isInterruptible(interrupts)
      ? undefined
      : `interruptible="${interruptible}"`
    : `language="${language}"`;
  if (problem !== undefined || !isInterruptible(interrupts)) {
    live.warn(64_101, `ConversationRelay: Invalid parameter value: ${problem}`);
    return undefined;
  }
  return {
    url,
    parameters,
    language,
    interruptible: interrupts,
    tellsKeys: dtmfDetection === 'true',
    tellsSpeakers: events.split(/\s+/).includes('speaker-events'),
  };
}

function isInterruptible(value: string): value is RelaySettings['interruptible'] {
  return ['any', 'dtmf', 'speech', 'none'].includes(value);
}
