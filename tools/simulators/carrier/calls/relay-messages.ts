import Type, { type Static, type TProperties } from 'typebox';
import { Check } from 'typebox/value';

const closed = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });

/**
 * What a session of text takes from the service. What plays recordings and sends keys is not simulated.
 * https://www.twilio.com/docs/voice/conversationrelay/websocket-messages
 */
const RelayCommand = Type.Union([
  closed({
    type: Type.Literal('text'),
    token: Type.String(),
    last: Type.Optional(Type.Boolean()),
    lang: Type.Optional(Type.String()),
    interruptible: Type.Optional(Type.Boolean()),
    preemptible: Type.Optional(Type.Boolean()),
  }),
  closed({
    type: Type.Literal('language'),
    ttsLanguage: Type.Optional(Type.String()),
    transcriptionLanguage: Type.Optional(Type.String()),
  }),
  closed({ type: Type.Literal('end'), handoffData: Type.Optional(Type.String()) }),
]);
export type RelayCommand = Static<typeof RelayCommand>;

/** Undefined: the message is refused. */
export function readRelayCommand(text: string): RelayCommand | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return Check(RelayCommand, message) ? message : undefined;
  } catch {
    return undefined;
  }
}
