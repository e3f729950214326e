import { findKeyword } from '../../../../domain/channels/sms/keywords.js';
import type { InboundSms } from '../../../../domain/conversations/chats/receive-sms.js';
import type { InboundMessageForm } from './schemas.js';

/** Converts the carrier's form to an inbound message. Pictures cannot be stored yet, so a placeholder marks them. */
export function toInboundSms(form: InboundMessageForm): InboundSms {
  const { Body: text = '', NumMedia = '0', OptOutType = '' } = form;
  const carrierKeyword = findKeyword(OptOutType);
  return {
    carrierMessageId: form.MessageSid,
    from: form.From,
    to: form.To,
    body: text.trim() === '' && Number(NumMedia) > 0 ? '[media]' : text,
    ...(carrierKeyword === null ? {} : { carrierKeyword }),
  };
}
