import {
  continueCall,
  receiveAnnouncementRequest,
  receiveCallStatus,
  receiveDialResult,
  receiveMachineDetection,
  receiveRecordingConsent,
  receiveStatusOfNumber,
  receiveStreamStatus,
} from '../../../../domain/conversations/phone-calls/carrier-callbacks.js';
import { receiveCall } from '../../../../domain/conversations/phone-calls/receive-call.js';
import { carrierSignature } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { twimlResponse } from '../twiml-response.js';
import {
  AnnouncementForm,
  CallStatusForm,
  CallStatusQuery,
  CarrierCallParams,
  ConsentForm,
  ContinueForm,
  DialResultForm,
  IncomingCallForm,
  MachineDetectionForm,
  NumberStatusForm,
  StreamStatusForm,
  TransferParams,
} from './schemas.js';

const params = { call_uuid: demo.callUuid };
const CallSid = demo.carrierCallId;

interface CallParams {
  workspace_uuid: string;
  call_uuid: string;
}

const nameOf = ({ workspace_uuid, call_uuid }: CallParams, carrierCallId: string) => ({
  workspaceUuid: workspace_uuid,
  callUuid: call_uuid,
  carrierCallId,
});

const inbound = defineRoute({
  operationId: 'receiveCarrierCall',
  method: 'POST',
  path: '/carrier-calls/inbound',
  tag: 'Carrier',
  summary: 'Receive an incoming call',
  description:
    'Called by the carrier for every number of the service. The call is taken into the chat in which the caller was called last, or into a new one. It is refused if voice is disabled (`voice_disabled`), if the caller withholds its number (`anonymous_rejected`), and while another call of the chat is up. A repeated request gets the same answer.',
  access: carrierSignature(),
  consumes: 'form',
  body: IncomingCallForm,
  example: {
    body: { CallSid: 'CA00000000000000000000000000000009', From: '+15555550123', To: '+15550100100' },
  },
  response: twimlResponse,
  handler: async ({ context, services, body }) => {
    const incoming = { carrierCallId: body.CallSid, from: body.From ?? '', to: body.To };
    return services.calls.answer(await receiveCall(context, services.calls, incoming));
  },
});

const statusOfNumber = defineRoute({
  operationId: 'receiveCarrierNumberStatus',
  method: 'POST',
  path: '/carrier-calls/status',
  tag: 'Carrier',
  summary: 'Receive the status of an incoming call',
  description:
    'Called by the carrier for every number of the service when an incoming call ends: the status callback of the number. Calls may be late, repeated or out of order.',
  access: carrierSignature(),
  consumes: 'form',
  body: NumberStatusForm,
  example: {
    body: {
      CallSid: 'CA00000000000000000000000000000009',
      To: '+15550100100',
      CallStatus: 'completed',
      CallDuration: '62',
    },
  },
  response: { status: 204 },
  handler: async ({ context, body }) =>
    receiveStatusOfNumber(context, {
      to: body.To,
      carrierCallId: body.CallSid,
      status: body.CallStatus,
      durationSeconds: body.CallDuration ? Number(body.CallDuration) : undefined,
    }),
});

const proceed = defineRoute({
  operationId: 'continueCarrierCall',
  method: 'POST',
  path: '/w/{workspace_uuid}/carrier-calls/{call_uuid}/continue',
  tag: 'Carrier',
  summary: 'Say what follows in a call',
  description:
    'Asked by the carrier after the stream of a call, or its session of text, was closed: the answer opens it again, dials the target of a transfer, says the message that a `call` task has for machines, or ends the call. An unknown call is ended.',
  access: carrierSignature(),
  consumes: 'form',
  params: CarrierCallParams,
  body: ContinueForm,
  example: { params, body: { CallSid, CallStatus: 'in-progress' } },
  response: twimlResponse,
  handler: async ({ context, services, params: named, body }) => {
    const { CallSid: carrierCallId, CallStatus: status, SessionStatus } = body;
    const name = nameOf(named, carrierCallId);
    const asking = { ...name, status, sessionFailed: SessionStatus === 'failed' };
    return services.calls.answer(await continueCall(context, services.calls, asking));
  },
});

const consent = defineRoute({
  operationId: 'receiveCarrierRecordingConsent',
  method: 'POST',
  path: '/w/{workspace_uuid}/carrier-calls/{call_uuid}/recording-consent',
  tag: 'Carrier',
  summary: 'Receive whether a call may be recorded',
  description:
    'Called by the carrier with the key that was pressed after the question, or without one: 1 agrees. The first answer stays. The call goes on in any case, and the answer opens its stream. An unknown call is ended.',
  access: carrierSignature(),
  consumes: 'form',
  params: CarrierCallParams,
  body: ConsentForm,
  example: { params, body: { CallSid, CallStatus: 'in-progress', Digits: '1' } },
  response: twimlResponse,
  handler: async ({ context, services, params: named, body }) => {
    const { CallSid: carrierCallId, CallStatus: status, Digits: keys = '' } = body;
    const asked = { ...nameOf(named, carrierCallId), status, keys };
    return services.calls.answer(await receiveRecordingConsent(context, services.calls, asked));
  },
});

const status = defineRoute({
  operationId: 'receiveCarrierCallStatus',
  method: 'POST',
  path: '/w/{workspace_uuid}/carrier-calls/{call_uuid}/status',
  tag: 'Carrier',
  summary: 'Receive the status of a call',
  description:
    'Called by the carrier; calls may be late, repeated or out of order: a status only leads on, and the first end stays.',
  access: carrierSignature(),
  consumes: 'form',
  params: CarrierCallParams,
  query: CallStatusQuery,
  body: CallStatusForm,
  example: { params, query: { attempt: 1 }, body: { CallSid, CallStatus: 'completed', CallDuration: '62' } },
  response: { status: 204 },
  handler: async ({ context, params: named, query, body }) =>
    receiveCallStatus(context, {
      ...nameOf(named, body.CallSid),
      attempt: query.attempt,
      status: body.CallStatus,
      durationSeconds: body.CallDuration ? Number(body.CallDuration) : undefined,
    }),
});

const machine = defineRoute({
  operationId: 'receiveCarrierMachineDetection',
  method: 'POST',
  path: '/w/{workspace_uuid}/carrier-calls/{call_uuid}/machine-detection',
  tag: 'Carrier',
  summary: 'Receive who has answered a call',
  description:
    'Called by the carrier once it knows whether a person, a machine or a fax has answered. A machine ends the call, after the message that a `call` task has for it, and a fax ends it at once.',
  access: carrierSignature(),
  consumes: 'form',
  params: CarrierCallParams,
  body: MachineDetectionForm,
  example: { params, body: { CallSid, AnsweredBy: 'human' } },
  response: { status: 204 },
  handler: async ({ context, params: named, body }) =>
    receiveMachineDetection(context, { ...nameOf(named, body.CallSid), answeredBy: body.AnsweredBy }),
});

const stream = defineRoute({
  operationId: 'receiveCarrierStreamStatus',
  method: 'POST',
  path: '/w/{workspace_uuid}/carrier-calls/{call_uuid}/stream-status',
  tag: 'Carrier',
  summary: 'Receive the status of a stream',
  description: 'Called by the carrier when the stream of a call begins, ends, or has an error.',
  access: carrierSignature(),
  consumes: 'form',
  params: CarrierCallParams,
  body: StreamStatusForm,
  example: {
    params,
    body: { CallSid, StreamSid: 'MZ00000000000000000000000000000001', StreamEvent: 'stream-started' },
  },
  response: { status: 204 },
  handler: async ({ context, params: named, body }) =>
    receiveStreamStatus(context, {
      ...nameOf(named, body.CallSid),
      streamId: body.StreamSid ?? '',
      event: body.StreamEvent,
    }),
});

const transferParams = { ...params, transfer_uuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f08' };

const announcement = defineRoute({
  operationId: 'announceCarrierTransfer',
  method: 'POST',
  path: '/w/{workspace_uuid}/carrier-calls/{call_uuid}/transfers/{transfer_uuid}/announcement',
  tag: 'Carrier',
  summary: 'Say what the person hears who takes a transfer',
  description:
    'Asked by the carrier when the other phone answers, before both are joined: the answer says what the agent has passed on, and nothing for an unknown transfer.',
  access: carrierSignature(),
  consumes: 'form',
  params: TransferParams,
  body: AnnouncementForm,
  example: {
    params: transferParams,
    body: { CallSid: 'CA00000000000000000000000000000010', ParentCallSid: CallSid },
  },
  response: twimlResponse,
  handler: async ({ context, services, params: named, body }) => {
    const name = { ...nameOf(named, body.ParentCallSid), transferUuid: named.transfer_uuid };
    return services.calls.answer(await receiveAnnouncementRequest(context, name));
  },
});

const dialResult = defineRoute({
  operationId: 'receiveCarrierTransferResult',
  method: 'POST',
  path: '/w/{workspace_uuid}/carrier-calls/{call_uuid}/transfers/{transfer_uuid}/result',
  tag: 'Carrier',
  summary: 'Receive what became of a transfer',
  description:
    'Called by the carrier when the other phone was hung up, or did not answer. The answer ends the call, or gives it back to the agent. The first result of a transfer stays.',
  access: carrierSignature(),
  consumes: 'form',
  params: TransferParams,
  body: DialResultForm,
  example: { params: transferParams, body: { CallSid, DialCallStatus: 'busy' } },
  response: twimlResponse,
  handler: async ({ context, services, params: named, body }) =>
    services.calls.answer(
      await receiveDialResult(context, services.calls, {
        ...nameOf(named, body.CallSid),
        transferUuid: named.transfer_uuid,
        word: body.DialCallStatus,
        ...(body.DialBridged === undefined ? {} : { isJoined: body.DialBridged !== 'false' }),
      }),
    ),
});

export const carrierCallRoutes = [
  inbound,
  statusOfNumber,
  proceed,
  consent,
  status,
  machine,
  stream,
  announcement,
  dialResult,
];
