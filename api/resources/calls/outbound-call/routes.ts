import { placeCall } from '../../../../domain/conversations/phone-calls/place-call.js';
import { InvalidInput } from '../../../../domain/lib/errors.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentCall } from '../phone-calls/presenter.js';
import { PhoneCallResponse } from '../phone-calls/schemas.js';
import { PlaceCallRequest } from './schemas.js';

const place = defineRoute({
  operationId: 'placeOutboundCall',
  method: 'POST',
  path: '/w/{workspace_uuid}/chats/{chat_id}/outbound-call',
  tag: 'Phone calls',
  summary: 'Call the member of a chat',
  description:
    "The call is placed after the answer: read it to follow it. While it is up, the agent speaks in it and writes nothing in the chat. A safety gate is asked at once, which refuses the request with the reason as its code, and again right before the call is dialled: a member who has said STOP or wants no calls, quiet hours, a country that is not among `callCountries`, a premium number or one of the service, as many calls to the number within 24 hours as `callsPerDay` of the workspace allows, and used up credits then end it as `blocked_outbound_safety`. For the caller's own chats, or any with the permission chats:write.",
  access: workspaceMember({ scope: 'chats:write' }),
  body: PlaceCallRequest,
  example: {
    params: { chat_id: demo.chatToCall },
    body: { phoneNumberId: demo.phoneNumberId, chatId: demo.chatToCall },
    once: true,
  },
  response: { status: 201, schema: PhoneCallResponse },
  errors: {
    409: 'A call of the chat has not ended (`call_in_progress`), or its agent is paused or disabled, or the chat archived (`agent_not_active`).',
  },
  handler: async ({ context, services, params, body }) => {
    if (body.chatId !== params.chat_id) throw InvalidInput.field('/chatId', 'is not the chat of the path');
    return presentCall(await placeCall(context, services.calls, body), context.actor);
  },
});

export const outboundCallRoutes = [place];
