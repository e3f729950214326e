import Type, { type Static } from 'typebox';

const text = (maxLength: number) => Type.String({ maxLength });
/** Two letters and hexadecimal digits. */
const sid = Type.String({ maxLength: 64, pattern: '^[A-Z]{2}[0-9a-fA-F]{1,62}$' });

/** https://www.twilio.com/docs/messaging/guides/webhook-request */
export const InboundMessageForm = Type.Object({
  MessageSid: sid,
  From: text(100),
  To: text(100),
  Body: Type.Optional(text(20_000)),
  NumMedia: Type.Optional(text(10)),
  OptOutType: Type.Optional(
    Type.String({ maxLength: 20, description: 'STOP, START or HELP: the carrier has already replied' }),
  ),
});
export type InboundMessageForm = Static<typeof InboundMessageForm>;

/** https://www.twilio.com/docs/messaging/guides/track-outbound-message-status */
export const MessageStatusForm = Type.Object({
  MessageSid: sid,
  MessageStatus: text(40),
  ErrorCode: Type.Optional(Type.String({ maxLength: 10, pattern: '^\\d{0,10}$' })),
});

export const MessageStatusQuery = Type.Object({
  attempt: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: 'The number of the attempt to send the message',
  }),
});

/** Unvalidated text: the carrier gets 2xx even if the ids are unknown. */
export const MessageStatusParams = Type.Object({ workspace_uuid: text(200), message_uuid: text(200) });
