import type { Route } from '../http/define-route.js';
import { accountRoutes } from './account/routes.js';
import { accountsRoutes } from './accounts/routes.js';
import { aiModelRoutes } from './ai-models/routes.js';
import { apiKeyRoutes } from './api-keys/routes.js';
import { assignmentRoutes } from './assignments/routes.js';
import { assistantRoutes } from './assistants/routes.js';
import { attemptRoutes } from './attempts/routes.js';
import { availablePhoneNumberRoutes } from './available-phone-numbers/routes.js';
import { carrierMessageRoutes } from './carrier-messages/routes.js';
import { chatEventRoutes } from './chat-events/routes.js';
import { chatLabelRoutes } from './chat-labels/routes.js';
import { chatRoutes } from './chats/routes.js';
import { createSignupRoutes } from './create-signup/routes.js';
import { dataTypeRoutes } from './data-types/routes.js';
import { deliverMissedRoutes } from './deliver-missed/routes.js';
import { deliveryRoutes } from './deliveries/routes.js';
import { eventRuleRoutes } from './event-rules/routes.js';
import { eventRoutes } from './events/routes.js';
import { followUpRoutes } from './follow-ups/routes.js';
import { healthRoutes } from './health/routes.js';
import { loginCodeRoutes } from './login-codes/routes.js';
import { memberLabelRoutes } from './member-labels/routes.js';
import { memberRecordCountRoutes } from './member-record-counts/routes.js';
import { memberRoleRoutes } from './member-roles/routes.js';
import { memberTokenRoutes } from './member-tokens/routes.js';
import { memberRoutes } from './members/routes.js';
import { messageRoutes } from './messages/routes.js';
import { phoneNumberPoolRoutes } from './phone-number-pool/routes.js';
import { phoneNumberRoutes } from './phone-numbers/routes.js';
import { recordBulkRoutes } from './record-bulk/routes.js';
import { recordChangeRoutes } from './record-changes/routes.js';
import { recordRoutes } from './records/routes.js';
import { redeliveryRoutes } from './redeliveries/routes.js';
import { revisionRoutes } from './revisions/routes.js';
import { sendAssistantMessageRoutes } from './send-assistant-message/routes.js';
import { sessionRoutes } from './sessions/routes.js';
import { smsOptOutRoutes } from './sms-opt-outs/routes.js';
import { supportAccessRoutes } from './support-access/routes.js';
import { taskRoutes } from './tasks/routes.js';
import { tokenUsageRoutes } from './token-usage/routes.js';
import { typingRoutes } from './typing/routes.js';
import { upsertRoutes } from './upsert/routes.js';
import { workflowRoutes } from './workflows/routes.js';
import { workspaceRoutes } from './workspaces/routes.js';

/** Every endpoint of the service. One that is not listed here does not exist. */
export const routes: readonly Route[] = [
  ...loginCodeRoutes,
  ...sessionRoutes,
  ...accountRoutes,
  ...accountsRoutes,
  ...apiKeyRoutes,
  ...workspaceRoutes,
  ...supportAccessRoutes,
  ...memberRoleRoutes,
  ...memberLabelRoutes,
  ...memberRoutes,
  ...memberTokenRoutes,
  ...smsOptOutRoutes,
  ...memberRecordCountRoutes,
  ...createSignupRoutes,
  ...dataTypeRoutes,
  ...recordRoutes,
  ...recordBulkRoutes,
  ...recordChangeRoutes,
  ...upsertRoutes,
  ...workflowRoutes,
  ...revisionRoutes,
  ...assistantRoutes,
  ...phoneNumberRoutes,
  ...availablePhoneNumberRoutes,
  ...phoneNumberPoolRoutes,
  ...eventRoutes,
  ...eventRuleRoutes,
  ...deliveryRoutes,
  ...attemptRoutes,
  ...redeliveryRoutes,
  ...deliverMissedRoutes,
  ...chatRoutes,
  ...chatLabelRoutes,
  ...messageRoutes,
  ...followUpRoutes,
  ...sendAssistantMessageRoutes,
  ...tokenUsageRoutes,
  ...chatEventRoutes,
  ...typingRoutes,
  ...assignmentRoutes,
  ...taskRoutes,
  ...aiModelRoutes,
  ...carrierMessageRoutes,
  ...healthRoutes,
];
