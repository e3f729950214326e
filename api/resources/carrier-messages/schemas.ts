import Type, { type Static } from 'typebox';

const text = (maxLength: number) => Type.String({ maxLength });

/** https://www.twilio.com/docs/messaging/guides/webhook-request */
export const InboundMessageForm = Type.Object({
  MessageSid: Type.String({ minLength: 1, maxLength: 64 }),
  From: text(100),
  To: text(100),
  Body: Type.Optional(text(20_000)),
  NumMedia: Type.Optional(text(10)),
  OptOutType: Type.Optional(
    Type.String({ maxLength: 20, description: 'STOP, START or HELP: answered already' }),
  ),
});
export type InboundMessageForm = Static<typeof InboundMessageForm>;

/** https://www.twilio.com/docs/messaging/guides/track-outbound-message-status */
export const MessageStatusForm = Type.Object({
  MessageSid: Type.String({ minLength: 1, maxLength: 64 }),
  MessageStatus: text(40),
  ErrorCode: Type.Optional(text(20)),
});

export const MessageStatusQuery = Type.Object({
  attempt: Type.Integer({ minimum: 1, maximum: 1_000, description: 'Which attempt to send it is spoken of' }),
});

/** The carrier is answered 2xx whatever it names. */
export const MessageStatusParams = Type.Object({
  workspace_uuid: text(200),
  message_uuid: text(200),
});
