import Type from 'typebox';
import { recordStatusCallback } from '../../../../domain/channels/deliveries/record-delivery-news.js';
import { findKeyword } from '../../../../domain/channels/sms/keywords.js';
import type { InboundSms } from '../../../../domain/conversations/chats/inbound-sms.js';
import { receiveSms } from '../../../../domain/conversations/chats/receive-sms.js';
import type { CarrierPlace } from '../../../auth/check-carrier-path.js';
import { carrierSignature } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentAnswer } from './presenter.js';
import { InboundMessageForm, MessageStatusForm, MessageStatusParams, MessageStatusQuery } from './schemas.js';

const inbound = defineRoute({
  operationId: 'receiveCarrierMessage',
  method: 'POST',
  path: '/carrier-messages/inbound',
  tag: 'Carrier',
  summary: 'Receive an inbound message',
  description:
    'Called by the carrier for every number of the service. A repeated call with the same message id has no effect.',
  access: carrierSignature(),
  consumes: 'form',
  body: InboundMessageForm,
  example: {
    body: {
      MessageSid: 'SM00000000000000000000000000000001',
      From: '+15555550123',
      To: '+15550100100',
      Body: 'Hello, I would like to come in.',
    },
  },
  response: {
    status: 200,
    schema: Type.String(),
    contentType: 'text/xml',
    description: "TwiML with the carrier's reply, if any.",
  },
  handler: async ({ context, body }) =>
    presentAnswer(await receiveSms(context, toInboundSms(body), routeOf(context.calledFor))),
});

function routeOf(place: CarrierPlace | undefined) {
  if (place === undefined || place.phoneNumberId === null) return undefined;
  return { workspaceId: place.workspaceId, phoneNumberId: place.phoneNumberId };
}

/** Converts the carrier's form to an inbound message. The addresses of media in it are not used: their ids are asked for. */
function toInboundSms(form: InboundMessageForm): InboundSms {
  const { Body: text = '', NumMedia = '0', OptOutType = '' } = form;
  const carrierKeyword = findKeyword(OptOutType);
  return {
    carrierMessageId: form.MessageSid,
    from: form.From,
    to: form.To,
    body: text,
    mediaCount: Number(NumMedia) || 0,
    ...(carrierKeyword === null ? {} : { carrierKeyword }),
  };
}

const status = defineRoute({
  operationId: 'receiveCarrierMessageStatus',
  method: 'POST',
  path: '/w/{workspace_uuid}/carrier-messages/{message_uuid}/status',
  tag: 'Carrier',
  summary: 'Receive the delivery status of a sent message',
  description:
    'Called by the carrier; calls may be late, repeated or out of order. A call about an unknown message changes nothing.',
  access: carrierSignature(),
  consumes: 'form',
  params: MessageStatusParams,
  query: MessageStatusQuery,
  body: MessageStatusForm,
  example: {
    params: { message_uuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f07' },
    query: { attempt: 1 },
    body: { MessageSid: 'SM00000000000000000000000000000002', MessageStatus: 'delivered' },
  },
  response: { status: 204 },
  handler: async ({ context, params, query, body }) => {
    if (context.calledFor === undefined) return;
    await recordStatusCallback(context, {
      workspaceId: context.calledFor.workspaceId,
      messageUuid: params.message_uuid,
      attempt: query.attempt,
      carrierMessageId: body.MessageSid,
      carrierStatus: body.MessageStatus,
      ...(body.ErrorCode === undefined || body.ErrorCode === '' ? {} : { errorCode: body.ErrorCode }),
    });
  },
});

export const carrierMessageRoutes = [inbound, status];
