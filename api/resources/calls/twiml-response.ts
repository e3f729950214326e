import Type from 'typebox';

/** An answer to the carrier that says what to do with a call. */
export const twimlResponse = {
  status: 200,
  schema: Type.String(),
  contentType: 'text/xml',
  description: 'TwiML: what the carrier is to do with the call.',
} as const;
