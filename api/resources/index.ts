import type { Route } from '../http/route.js';
import { assignmentPageRoutes } from './assignments/assignment-pages/routes.js';
import { taskRoutes } from './assignments/assignment-tasks/routes.js';
import { timelineRoutes } from './assignments/assignment-timeline/routes.js';
import { assignmentRoutes } from './assignments/assignments/routes.js';
import { carrierCallRoutes } from './calls/carrier-calls/routes.js';
import { costRoutes } from './calls/costs/routes.js';
import { outboundCallRoutes } from './calls/outbound-call/routes.js';
import { outboundCallHandlerRoutes } from './calls/outbound-call-handler/routes.js';
import { phoneCallRoutes } from './calls/phone-calls/routes.js';
import { recordingRoutes } from './calls/recordings/routes.js';
import { availablePhoneNumberRoutes } from './channels/available-phone-numbers/routes.js';
import { callOptOutRoutes } from './channels/call-opt-outs/routes.js';
import { carrierMessageRoutes } from './channels/carrier-messages/routes.js';
import { emailOptOutRoutes } from './channels/email-opt-outs/routes.js';
import { inboundEmailRoutes } from './channels/inbound-emails/routes.js';
import { inboundRoutes, inboxRoutes } from './channels/inboxes/routes.js';
import { optOutRoutes } from './channels/opt-outs/routes.js';
import { phoneNumberPoolRoutes } from './channels/phone-number-pool/routes.js';
import { phoneNumberRoutes } from './channels/phone-numbers/routes.js';
import { smsOptOutRoutes } from './channels/sms-opt-outs/routes.js';
import { unsubscribeRoutes } from './channels/unsubscribe/routes.js';
import { chatActRoutes } from './conversations/acts/routes.js';
import { assistantRoutes } from './conversations/assistants/routes.js';
import { chatEventRoutes } from './conversations/chat-events/routes.js';
import { chatLabelRoutes } from './conversations/chat-labels/routes.js';
import { chatRoutes } from './conversations/chats/routes.js';
import { creditBudgetRoutes } from './conversations/credit-budget/routes.js';
import { eventStreamRoutes } from './conversations/event-stream/routes.js';
import { followUpRoutes } from './conversations/follow-ups/routes.js';
import { interruptRoutes } from './conversations/interrupt/routes.js';
import { messageSearchRoutes } from './conversations/message-search/routes.js';
import { messageTemplateRoutes } from './conversations/message-templates/routes.js';
import { messageRoutes } from './conversations/messages/routes.js';
import { noteRoutes } from './conversations/notes/routes.js';
import { overviewRoutes } from './conversations/overview/routes.js';
import { participantRoutes } from './conversations/participants/routes.js';
import { rateRoutes } from './conversations/rate/routes.js';
import { scheduledMessageRoutes } from './conversations/scheduled-messages/routes.js';
import { sendAssistantMessageRoutes } from './conversations/send-assistant-message/routes.js';
import { summarizeRoutes } from './conversations/summarize/routes.js';
import { tokenUsageRoutes } from './conversations/token-usage/routes.js';
import { typingRoutes } from './conversations/typing/routes.js';
import { mcpServerRoutes } from './definitions/mcp-servers/routes.js';
import { secretRoutes } from './definitions/secrets/routes.js';
import { workflowRoutes } from './definitions/workflow-definitions/routes.js';
import { revisionRoutes } from './definitions/workflow-revisions/routes.js';
import { deliverMissedRoutes } from './events/deliver-missed/routes.js';
import { eventRuleRoutes } from './events/event-rules/routes.js';
import { eventRoutes } from './events/events/routes.js';
import { attemptRoutes } from './events/webhook-attempts/routes.js';
import { deliveryRoutes } from './events/webhook-deliveries/routes.js';
import { redeliveryRoutes } from './events/webhook-redeliveries/routes.js';
import { downloadRoutes } from './files/download/routes.js';
import { fileContentRoutes } from './files/file-contents/routes.js';
import { fileLabelRoutes } from './files/file-labels/routes.js';
import { fileRoutes } from './files/files/routes.js';
import { folderRoutes } from './files/folders/routes.js';
import { searchRoutes } from './files/search/routes.js';
import { shareRoutes } from './files/shares/routes.js';
import { sharingRoutes } from './files/sharing/routes.js';
import { fileVersionRoutes } from './files/versions/routes.js';
import { accountRoutes } from './identity/account/routes.js';
import { accountsRoutes } from './identity/accounts/routes.js';
import { apiKeyRoutes } from './identity/api-keys/routes.js';
import { applicationRoutes } from './identity/applications/routes.js';
import { auditRoutes } from './identity/audit-events/routes.js';
import { organizationConfigRoutes } from './identity/config/routes.js';
import { connectedApplicationRoutes } from './identity/connected-applications/routes.js';
import { invitationRoutes } from './identity/invitations/routes.js';
import { joinRoutes } from './identity/join/routes.js';
import { loginCodeRoutes } from './identity/login-codes/routes.js';
import { memberTokenRoutes } from './identity/member-tokens/routes.js';
import { membershipRoutes } from './identity/membership/routes.js';
import { workspaceOrganizationRoutes } from './identity/organization/routes.js';
import { organizationMemberRoutes } from './identity/organization-members/routes.js';
import { organizationRoutes } from './identity/organizations/routes.js';
import { sessionRoutes } from './identity/sessions/routes.js';
import { createSignupRoutes } from './identity/sign-up/routes.js';
import { ssoRoutes } from './identity/sso/routes.js';
import { supportAccessRoutes } from './identity/support-access/routes.js';
import { workspaceHoldRoutes } from './identity/workspace-hold/routes.js';
import { workspaceRoutes } from './identity/workspaces/routes.js';
import { aiModelRoutes } from './kernel/ai-models/routes.js';
import { healthRoutes } from './kernel/health/routes.js';
import { registryRoutes } from './kernel/resources/routes.js';
import { memberLabelRoutes } from './people/member-labels/routes.js';
import { memberRoleRoutes } from './people/member-roles/routes.js';
import { memberTimelineRoutes } from './people/member-timeline/routes.js';
import { memberRoutes } from './people/members/routes.js';
import { dataExportRoutes } from './person-data/data-export/routes.js';
import { eraseRoutes } from './person-data/erase/routes.js';
import { csvFileRoutes } from './records/csv-files/routes.js';
import { recordRoutes } from './records/data-records/routes.js';
import { dataTypeRoutes } from './records/data-types/routes.js';
import { memberRecordCountRoutes } from './records/member-record-counts/routes.js';
import { recordBulkRoutes } from './records/record-bulk/routes.js';
import { recordChangeRoutes } from './records/record-changes/routes.js';
import { upsertRoutes } from './records/upsert/routes.js';
import { simulateRoutes } from './simulation/simulate/routes.js';
import { documentRevisionRoutes } from './sites/document-revisions/routes.js';
import { menuRoutes } from './sites/menu/routes.js';
import { pageDocumentRoutes } from './sites/page-documents/routes.js';
import { pageRoutes } from './sites/pages/routes.js';
import { publicSiteRoutes } from './sites/public-sites/routes.js';
import { siteCrawlRoutes } from './sites/site-crawl/routes.js';
import { siteDomainRoutes } from './sites/site-domain/routes.js';
import { siteFileRoutes } from './sites/site-files/routes.js';
import { siteRoutes } from './sites/sites/routes.js';
import { themeRoutes } from './sites/themes/routes.js';
import { visitorRoutes } from './sites/visitors/routes.js';

/** All endpoints of the service. An endpoint that is not listed here is not served. */
export const routes: readonly Route[] = [
  ...loginCodeRoutes,
  ...sessionRoutes,
  ...accountRoutes,
  ...accountsRoutes,
  ...apiKeyRoutes,
  ...applicationRoutes,
  ...connectedApplicationRoutes,
  ...workspaceRoutes,
  ...workspaceHoldRoutes,
  ...organizationRoutes,
  ...organizationMemberRoutes,
  ...invitationRoutes,
  ...workspaceOrganizationRoutes,
  ...ssoRoutes,
  ...organizationConfigRoutes,
  ...joinRoutes,
  ...membershipRoutes,
  ...supportAccessRoutes,
  ...memberRoleRoutes,
  ...memberLabelRoutes,
  ...memberRoutes,
  ...memberTimelineRoutes,
  ...memberTokenRoutes,
  ...emailOptOutRoutes,
  ...smsOptOutRoutes,
  ...callOptOutRoutes,
  ...optOutRoutes,
  ...memberRecordCountRoutes,
  ...createSignupRoutes,
  ...dataTypeRoutes,
  ...csvFileRoutes,
  ...recordRoutes,
  ...recordBulkRoutes,
  ...recordChangeRoutes,
  ...upsertRoutes,
  ...workflowRoutes,
  ...revisionRoutes,
  ...secretRoutes,
  ...mcpServerRoutes,
  ...simulateRoutes,
  ...assistantRoutes,
  ...phoneNumberRoutes,
  ...inboxRoutes,
  ...unsubscribeRoutes,
  ...availablePhoneNumberRoutes,
  ...phoneNumberPoolRoutes,
  ...eventRoutes,
  ...eventRuleRoutes,
  ...deliveryRoutes,
  ...attemptRoutes,
  ...redeliveryRoutes,
  ...deliverMissedRoutes,
  ...chatRoutes,
  ...chatActRoutes,
  ...interruptRoutes,
  ...chatLabelRoutes,
  ...messageTemplateRoutes,
  ...messageRoutes,
  ...messageSearchRoutes,
  ...rateRoutes,
  ...noteRoutes,
  ...participantRoutes,
  ...followUpRoutes,
  ...sendAssistantMessageRoutes,
  ...scheduledMessageRoutes,
  ...summarizeRoutes,
  ...tokenUsageRoutes,
  ...creditBudgetRoutes,
  ...chatEventRoutes,
  ...eventStreamRoutes,
  ...overviewRoutes,
  ...typingRoutes,
  ...phoneCallRoutes,
  ...costRoutes,
  ...outboundCallRoutes,
  ...recordingRoutes,
  ...folderRoutes,
  ...fileLabelRoutes,
  ...fileRoutes,
  ...searchRoutes,
  ...fileVersionRoutes,
  ...downloadRoutes,
  ...shareRoutes,
  ...fileContentRoutes,
  ...sharingRoutes,
  ...siteRoutes,
  ...themeRoutes,
  ...siteDomainRoutes,
  ...siteCrawlRoutes,
  ...siteFileRoutes,
  ...publicSiteRoutes,
  ...visitorRoutes,
  ...pageRoutes,
  ...pageDocumentRoutes,
  ...documentRevisionRoutes,
  ...menuRoutes,
  ...assignmentRoutes,
  ...timelineRoutes,
  ...taskRoutes,
  ...assignmentPageRoutes,
  ...aiModelRoutes,
  ...registryRoutes,
  ...auditRoutes,
  ...inboundRoutes,
  ...inboundEmailRoutes,
  ...carrierMessageRoutes,
  ...carrierCallRoutes,
  ...outboundCallHandlerRoutes,
  ...dataExportRoutes,
  ...eraseRoutes,
  ...healthRoutes,
];
