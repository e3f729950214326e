import Type, { type Static } from 'typebox';

const text = (maxLength: number) => Type.String({ maxLength });
/** Two letters and hexadecimal digits. */
const sid = Type.String({ maxLength: 64, pattern: '^[A-Z]{2}[0-9a-fA-F]{1,62}$' });

/** Unvalidated text: the carrier is answered even if the ids are unknown. */
export const CarrierCallParams = Type.Object({
  workspace_uuid: text(200),
  call_uuid: { ...text(200), description: 'The call, as the service has named it to the carrier' },
});

/** https://www.twilio.com/docs/voice/twiml#request-parameters */
export const CallForm = Type.Object({
  CallSid: { ...sid, description: "The carrier's id of the call" },
  CallStatus: Type.Optional({
    ...text(40),
    description: 'The status of the call, in the words of the carrier',
  }),
});

/** https://www.twilio.com/docs/voice/twiml/connect/conversationrelay */
export const ContinueForm = Type.Object({
  ...CallForm.properties,
  SessionStatus: Type.Optional({
    ...text(40),
    description:
      'How a session of text has ended, in the words of the carrier; `failed` also if it could not begin',
  }),
});

/** https://www.twilio.com/docs/voice/twiml/gather#action */
export const ConsentForm = Type.Object({
  ...CallForm.properties,
  Digits: Type.Optional({ ...text(20), description: 'The key that was pressed; absent or empty: none' }),
});

export const IncomingCallForm = Type.Object({ CallSid: sid, From: Type.Optional(text(100)), To: text(100) });
export type IncomingCallForm = Static<typeof IncomingCallForm>;

/** https://www.twilio.com/docs/voice/api/call-resource#statuscallback */
export const CallStatusForm = Type.Object({
  CallSid: sid,
  CallStatus: text(40),
  CallDuration: Type.Optional(Type.String({ maxLength: 10, pattern: '^\\d{0,10}$' })),
});

export const NumberStatusForm = Type.Object({ ...CallStatusForm.properties, To: text(100) });

export const CallStatusQuery = Type.Object({
  attempt: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'The number of the attempt to dial the call' }),
  ),
});

/** https://www.twilio.com/docs/voice/answering-machine-detection */
export const MachineDetectionForm = Type.Object({
  CallSid: sid,
  AnsweredBy: Type.String({ maxLength: 40, pattern: '^[a-z_]{1,40}$' }),
});

/** https://www.twilio.com/docs/voice/twiml/stream#statuscallback */
export const StreamStatusForm = Type.Object({
  CallSid: sid,
  StreamSid: Type.Optional(sid),
  StreamEvent: text(40),
});

/** https://www.twilio.com/docs/voice/twiml/dial#action */
export const DialResultForm = Type.Object({
  CallSid: sid,
  DialCallStatus: text(40),
  DialBridged: Type.Optional({
    ...text(10),
    description: 'Whether the caller was joined with who answered; `false`: they left before',
  }),
});

/** Of the other phone, which is a call of its own. https://www.twilio.com/docs/voice/twiml/number#url */
export const AnnouncementForm = Type.Object({ CallSid: sid, ParentCallSid: sid });

export const TransferParams = Type.Object({
  workspace_uuid: text(200),
  call_uuid: text(200),
  transfer_uuid: text(200),
});
