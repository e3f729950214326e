/**
 * The objects of the demo workspace that examples name. `npm start` creates them with these ids in an empty data folder
 * (tools/dev/seed/examples.ts, docs/decisions/0102-the-reference-is-a-page-of-our-own.md). Where an operation uses an
 * object up, it has one of its own.
 */
export const demo = {
  workspaceUuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f01',
  adminMemberId: 1,
  adminEmail: 'admin@clinic.example',
  memberAccountUuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f02',

  memberRoleId: 5,
  memberRoleToDelete: 6,
  memberLabelId: 1,
  memberLabelToDelete: 2,
  memberId: 5,
  memberToDisable: 6,
  memberToDelete: 7,
  memberToErase: 10,
  erasedMember: 11,
  memberTokenId: 1,
  memberSessionUuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f03',

  organizationUuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f0d',
  organizationSlug: 'demo-health',
  /** The identity provider of `npm start`. */
  issuer: 'http://127.0.0.1:4015',
  organizationMemberId: 2,
  organizationMemberToRemove: 3,
  invitationToWithdraw: 1,

  apiKeyId: 4,
  apiKeyToRotate: 5,
  apiKeyToRevoke: 6,
  applicationUuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f12',
  connectionUuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f13',

  dataTypeId: 2,
  dataTypeToDelete: 3,
  recordId: 1,
  recordExternalId: 'visit-1',
  recordToRetire: 2,
  recordToRestore: 3,
  recordToDelete: 4,

  assistantId: 2,
  assistantMemberId: 8,
  assistantToDelete: 3,
  phoneNumberId: 1,
  phoneNumberToDelete: 2,
  inboxId: 1,
  inboxToDelete: 2,
  /** Of an email that a task of the workspace has sent. */
  unsubscribeToken: 'examplesexamplesexamplesex',
  inboxUuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f0b',
  inboundEmailId: 1,
  poolNumberId: 3,
  poolNumberToDelete: 4,
  availableNumber: '+15550100101',

  workflowId: 2,
  workflowToArchive: 3,
  revisionId: 2,
  draftId: 3,
  draftToDelete: 4,
  draftToPublish: 5,

  secretId: 1,
  secretToDelete: 2,

  mcpServerId: 1,
  mcpServerToDelete: 2,
  mcpToolId: 1,
  mcpToolToDisallow: 2,
  /** Of the tool `find_order` of the MCP server of `npm start`. */
  mcpToolDigest: '62b68b82aabdac97cdbf03fb44caf68d7d65633a4fb9a6d9766e2664b8ccf1ff',

  folderId: 1,
  folderToDelete: 2,
  fileLabelId: 1,
  fileLabelToDelete: 2,
  fileId: 1,
  fileToDelete: 2,
  fileShareUuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f08',
  folderShareUuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f09',

  siteId: 1,
  siteUuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f20',
  siteToDelete: 2,
  /** Of no message yet. */
  visitorMessageUuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f21',
  /** It claims a domain that is not proved. */
  siteWithClaim: 3,
  /** It leads to the site. */
  domain: 'www.clinic.example',
  /** The primary locale of the site. */
  locale: 'en-US',
  /** The published home page, with the slug `home`. */
  pageId: 1,
  /** Published, in two locales. */
  pageToUnpublish: 2,
  pageToDelete: 3,
  /** Of the home page in its primary locale. */
  pageRevisionId: 2,
  menuItemId: 1,
  menuItemToDelete: 2,

  /** A call that has ended, in the chat without a workflow. */
  phoneCallId: 1,
  callUuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f0c',
  carrierCallId: 'CA00000000000000000000000000000001',

  chatLabelId: 1,
  chatLabelToDelete: 2,
  messageTemplateId: 1,
  messageTemplateToDelete: 2,
  chatId: 1,
  chatWithoutWorkflow: 4,
  /** It has no answer yet. */
  chatThatWaits: 5,
  /** A tool call waits for approval in it. */
  chatWithInterrupt: 6,
  interruptId: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f0b',
  /** Nobody writes in it, so that its agent is not paused. */
  chatToCall: 7,
  participantId: 2,
  participantToRemove: 3,
  /** A message of the assistant in the chat without a workflow. */
  messageUuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f0a',
  /** A call of that message. */
  toolCallId: 'call_examples',
  followUpToCancel: 2,
  scheduledMessageId: 1,
  scheduledMessageToCancel: 2,
  assignmentId: 2,
  assignmentToCancel: 3,
  /** The task "Another day" of the assignment. */
  assignmentTaskId: 7,

  eventRuleId: 1,
  eventRuleToDisable: 2,
  eventRuleToDelete: 3,
  /** Its receiver never answers, so that its delivery stays pending. */
  eventRuleWithoutReceiver: 4,
  deliveryId: 1,
  pendingDelivery: 2,
  eventUuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f04',
  /** The webhook receiver of `npm start`. */
  receiverUrl: 'http://127.0.0.1:4014/hooks/examples',
} as const;

/** What examples have for a parameter of a path, unless the operation says otherwise. */
export const pathParameterExamples: Readonly<Record<string, string | number>> = {
  workspace_uuid: demo.workspaceUuid,
  account_uuid: demo.memberAccountUuid,
  org: demo.organizationSlug,
  org_uuid: demo.organizationUuid,
  organization_uuid: demo.organizationUuid,
  organization_member_id: demo.organizationMemberId,
  invitation_id: demo.invitationToWithdraw,
  member_role_id: demo.memberRoleId,
  member_label_id: demo.memberLabelId,
  member_id: demo.memberId,
  token_id: demo.memberTokenId,
  api_key_id: demo.apiKeyId,
  application_uuid: demo.applicationUuid,
  data_type_id: demo.dataTypeId,
  record_id: demo.recordId,
  external_id: demo.recordExternalId,
  assistant_id: demo.assistantId,
  phone_number_id: demo.phoneNumberId,
  inbox_id: demo.inboxId,
  inbox_uuid: demo.inboxUuid,
  inbound_email_id: demo.inboundEmailId,
  pool_number_id: demo.poolNumberId,
  workflow_id: demo.workflowId,
  revision_id: demo.revisionId,
  secret_id: demo.secretId,
  mcp_server_id: demo.mcpServerId,
  mcp_tool_id: demo.mcpToolId,
  folder_id: demo.folderId,
  file_label_id: demo.fileLabelId,
  file_id: demo.fileId,
  version_number: 1,
  site_id: demo.siteId,
  site_uuid: demo.siteUuid,
  page_id: demo.pageId,
  page_slug_or_id: 'home',
  locale: demo.locale,
  menu_item_id: demo.menuItemId,
  custom_domain: demo.domain,
  chat_label_id: demo.chatLabelId,
  message_template_id: demo.messageTemplateId,
  chat_id: demo.chatId,
  participant_id: demo.participantId,
  phone_call_id: demo.phoneCallId,
  call_uuid: demo.callUuid,
  follow_up_id: demo.followUpToCancel,
  scheduled_message_id: demo.scheduledMessageId,
  assignment_id: demo.assignmentId,
  assignment_task_id: demo.assignmentTaskId,
  event_rule_id: demo.eventRuleId,
  delivery_id: demo.deliveryId,
  event_id: demo.eventUuid,
};
