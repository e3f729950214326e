import { sign } from '../../../tools/simulators/carrier/post-webhook.js';
import { planted } from '../markers.js';
import type { Stage } from '../stage.js';

/** Callbacks with something else in each of their fields. */
export async function sendStrangeCallbacks(stage: Stage, messageUuid: string): Promise<void> {
  const word = planted('carrierField');
  const status = `/w/${stage.workspace.workspaceUuid}/carrier-messages/${messageUuid}/status?attempt=1`;
  const strange = stage.workspace.path(`/carrier-messages/${word}/status?attempt=${word}`);
  const inbound = '/carrier-messages/inbound';
  const form = { MessageSid: word, MessageStatus: word, ErrorCode: word, From: word, To: word, Body: word };
  const failed = { ...form, MessageStatus: 'undelivered' };
  const tooLong = { ...form, MessageSid: word.repeat(9), ErrorCode: word.repeat(9) };
  for (const [path, fields] of [
    [status, form],
    [status, failed],
    [status, tooLong],
    [strange, form],
    [inbound, form],
    [inbound, { ...form, To: planted('workspaceNumber') }],
    [inbound, tooLong],
  ] as const) {
    const signature = sign(
      stage.system.carrier.credentials.authToken,
      `${stage.api.baseUrl}/api/v2${path}`,
      fields,
    );
    for (const given of [signature, word]) {
      await stage.api.request('POST', path, { form: fields, headers: { 'X-Twilio-Signature': given } });
    }
  }
}
