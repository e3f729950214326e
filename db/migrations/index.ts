import type { Knex } from 'knex';
import * as identity from './0001-identity.js';
import * as members from './0002-members.js';
import * as dataRecords from './0003-data-records.js';
import * as workflowDefinitions from './0004-workflow-definitions.js';
import * as chats from './0005-chats.js';
import * as assignments from './0006-assignments.js';
import * as outbox from './0007-outbox.js';
import * as sessions from './0008-sessions.js';
import * as chatRevisions from './0009-chat-revisions.js';
import * as idempotencyKeys from './0010-idempotency-keys.js';
import * as tokenPrices from './0011-token-prices.js';
import * as chatDetails from './0012-chat-details.js';
import * as deliveryReceipts from './0013-delivery-receipts.js';
import * as events from './0014-events.js';
import * as recordWrites from './0015-record-writes.js';
import * as dataRecordValues from './0016-data-record-values.js';
import * as supportMembers from './0017-support-members.js';
import * as claimedAddresses from './0018-claimed-addresses.js';
import * as statistics from './0019-statistics.js';
import * as tokensOfMembers from './0020-tokens-of-members.js';
import * as webhooks from './0021-webhooks.js';
import * as eventRulePermissions from './0022-event-rule-permissions.js';
import * as webhookHistory from './0024-webhook-history.js';
import * as outboxTurns from './0025-outbox-turns.js';
import * as unprovedIdentifiers from './0026-unproved-identifiers.js';
import * as phoneNumberPool from './0027-phone-number-pool.js';
import * as sizesOfValues from './0028-sizes-of-values.js';
import * as outboxStanding from './0029-outbox-standing.js';
import * as needsResponseReason from './0030-needs-response-reason.js';
import * as providersAndDeliveries from './0031-providers-and-deliveries.js';
import * as walks from './0032-walks.js';
import * as listsByWorkflow from './0033-lists-by-workflow.js';
import * as rulesOfAWorkspace from './0034-rules-of-a-workspace.js';
import * as proofsAndGrants from './0035-proofs-and-grants.js';
import * as boundsOfAccess from './0036-bounds-of-access.js';
import * as boundsOnAgents from './0037-bounds-on-agents.js';
import * as daysOfFailure from './0038-days-of-failure.js';
import * as originsOfAWorkspace from './0039-origins-of-a-workspace.js';
import * as tokensOfKeys from './0040-tokens-of-keys.js';
import * as whoPaused from './0041-who-paused.js';
import * as hostsAndOptOuts from './0042-hosts-and-opt-outs.js';
import * as eventsAndFollowUps from './0043-events-and-follow-ups.js';
import * as turnsOwed from './0045-turns-owed.js';
import * as chatRevisionsOnce from './0046-chat-revisions-once.js';
import * as assignmentsBegunAtOnce from './0047-assignments-begun-at-once.js';
import * as newChatsAreWhole from './0048-new-chats-are-whole.js';
import * as messagesCarrierReceivedAt from './0049-messages-carrier-received-at.js';
import * as standingAssignments from './0052-standing-assignments.js';
import * as endsOfWaits from './0053-ends-of-waits.js';
import * as authorsOfMessages from './0056-authors-of-messages.js';
import * as activeAssignmentsOfAWorkflow from './0057-active-assignments-of-a-workflow.js';
import * as holdsOfWorkflows from './0058-holds-of-workflows.js';
import * as turnsOfHeldWorkflows from './0059-turns-of-held-workflows.js';
import * as timelines from './0060-timelines.js';
import * as earlierTimelines from './0061-earlier-timelines.js';
import * as files from './0063-files.js';
import * as passages from './0064-passages.js';
import * as personData from './0066-person-data.js';
import * as personExports from './0067-person-exports.js';
import * as filesOfMessages from './0068-files-of-messages.js';
import * as retention from './0071-retention.js';
import * as settingsOfParticipants from './0074-settings-of-participants.js';
import * as filesOfRecords from './0075-files-of-records.js';
import * as numbersThatSendMms from './0077-numbers-that-send-mms.js';
import * as aDeliveryForEachRecipient from './0078-a-delivery-for-each-recipient.js';
import * as whetherObjectsAreStored from './0079-whether-objects-are-stored.js';
import * as creditBudgets from './0080-credit-budgets.js';
import * as summariesOfChats from './0081-summaries-of-chats.js';
import * as waitingChats from './0082-waiting-chats.js';
import * as wordsOfMessages from './0083-words-of-messages.js';
import * as handoffNotices from './0084-handoff-notices.js';
import * as newsOfWaitingChats from './0085-news-of-waiting-chats.js';
import * as settingOfHandoffNotices from './0086-setting-of-handoff-notices.js';
import * as estimatesOfCalls from './0087-estimates-of-calls.js';
import * as sumsOfEarlierCalls from './0088-sums-of-earlier-calls.js';
import * as inboxes from './0089-inboxes.js';
import * as emails from './0090-emails.js';
import * as keysOfEmails from './0091-keys-of-emails.js';
import * as inboundEmails from './0092-inbound-emails.js';
import * as scheduledMessages from './0095-scheduled-messages.js';
import * as whereChatsComeFrom from './0096-where-chats-come-from.js';
import * as keysThatMessagesNeed from './0097-keys-that-messages-need.js';
import * as quietHours from './0098-quiet-hours.js';
import * as deliveriesThatWait from './0099-deliveries-that-wait.js';
import * as paceOfNumbers from './0100-pace-of-numbers.js';
import * as requestsOfAgents from './0101-requests-of-agents.js';
import * as approvalsOfToolCalls from './0102-approvals-of-tool-calls.js';
import * as noticesOfApprovals from './0103-notices-of-approvals.js';
import * as attemptsOfEmails from './0104-attempts-of-emails.js';
import * as unsubscribeLinks from './0106-unsubscribe-links.js';
import * as signaturesOfMail from './0107-signatures-of-mail.js';
import * as whatStrangersUseAndWhatIsDue from './0108-what-strangers-use-and-what-is-due.js';
import * as earlierUnsubscribeLinks from './0109-earlier-unsubscribe-links.js';
import * as sharesOfSenders from './0110-shares-of-senders.js';
import * as phoneCalls from './0111-phone-calls.js';
import * as countriesOfCalls from './0112-countries-of-calls.js';
import * as callRecordings from './0115-call-recordings.js';
import * as callTransfers from './0120-call-transfers.js';
import * as callsADay from './0121-calls-a-day.js';
import * as recordingNotices from './0122-recording-notices.js';
import * as afterCalls from './0123-after-calls.js';
import * as revisionsOfCalls from './0126-revisions-of-calls.js';

interface NamedMigration {
  name: string;
  migration: Knex.Migration;
}

/**
 * All migrations in their order. Names are stored in the database, so the name of a released migration never changes.
 */
const migrations: NamedMigration[] = [
  { name: '0001-identity', migration: identity },
  { name: '0002-members', migration: members },
  { name: '0003-data-records', migration: dataRecords },
  { name: '0004-workflow-definitions', migration: workflowDefinitions },
  { name: '0005-chats', migration: chats },
  { name: '0006-assignments', migration: assignments },
  { name: '0007-outbox', migration: outbox },
  { name: '0008-sessions', migration: sessions },
  { name: '0009-chat-revisions', migration: chatRevisions },
  { name: '0010-idempotency-keys', migration: idempotencyKeys },
  { name: '0011-token-prices', migration: tokenPrices },
  { name: '0012-chat-details', migration: chatDetails },
  { name: '0013-delivery-receipts', migration: deliveryReceipts },
  { name: '0014-events', migration: events },
  { name: '0015-record-writes', migration: recordWrites },
  { name: '0016-data-record-values', migration: dataRecordValues },
  { name: '0017-support-members', migration: supportMembers },
  { name: '0018-claimed-addresses', migration: claimedAddresses },
  { name: '0019-statistics', migration: statistics },
  { name: '0020-tokens-of-members', migration: tokensOfMembers },
  { name: '0021-webhooks', migration: webhooks },
  { name: '0022-event-rule-permissions', migration: eventRulePermissions },
  { name: '0024-webhook-history', migration: webhookHistory },
  { name: '0025-outbox-turns', migration: outboxTurns },
  { name: '0026-unproved-identifiers', migration: unprovedIdentifiers },
  { name: '0027-phone-number-pool', migration: phoneNumberPool },
  { name: '0028-sizes-of-values', migration: sizesOfValues },
  { name: '0029-outbox-standing', migration: outboxStanding },
  { name: '0030-needs-response-reason', migration: needsResponseReason },
  { name: '0031-providers-and-deliveries', migration: providersAndDeliveries },
  { name: '0032-walks', migration: walks },
  { name: '0033-lists-by-workflow', migration: listsByWorkflow },
  { name: '0034-rules-of-a-workspace', migration: rulesOfAWorkspace },
  { name: '0035-proofs-and-grants', migration: proofsAndGrants },
  { name: '0036-bounds-of-access', migration: boundsOfAccess },
  { name: '0037-bounds-on-agents', migration: boundsOnAgents },
  { name: '0038-days-of-failure', migration: daysOfFailure },
  { name: '0039-origins-of-a-workspace', migration: originsOfAWorkspace },
  { name: '0040-tokens-of-keys', migration: tokensOfKeys },
  { name: '0041-who-paused', migration: whoPaused },
  { name: '0042-hosts-and-opt-outs', migration: hostsAndOptOuts },
  { name: '0043-events-and-follow-ups', migration: eventsAndFollowUps },
  { name: '0045-turns-owed', migration: turnsOwed },
  { name: '0046-chat-revisions-once', migration: chatRevisionsOnce },
  { name: '0047-assignments-begun-at-once', migration: assignmentsBegunAtOnce },
  { name: '0048-new-chats-are-whole', migration: newChatsAreWhole },
  { name: '0049-messages-carrier-received-at', migration: messagesCarrierReceivedAt },
  { name: '0052-standing-assignments', migration: standingAssignments },
  { name: '0053-ends-of-waits', migration: endsOfWaits },
  { name: '0056-authors-of-messages', migration: authorsOfMessages },
  { name: '0057-active-assignments-of-a-workflow', migration: activeAssignmentsOfAWorkflow },
  { name: '0058-holds-of-workflows', migration: holdsOfWorkflows },
  { name: '0059-turns-of-held-workflows', migration: turnsOfHeldWorkflows },
  { name: '0060-timelines', migration: timelines },
  { name: '0061-earlier-timelines', migration: earlierTimelines },
  { name: '0063-files', migration: files },
  { name: '0064-passages', migration: passages },
  { name: '0066-person-data', migration: personData },
  { name: '0067-person-exports', migration: personExports },
  { name: '0068-files-of-messages', migration: filesOfMessages },
  { name: '0071-retention', migration: retention },
  { name: '0074-settings-of-participants', migration: settingsOfParticipants },
  { name: '0075-files-of-records', migration: filesOfRecords },
  { name: '0077-numbers-that-send-mms', migration: numbersThatSendMms },
  { name: '0078-a-delivery-for-each-recipient', migration: aDeliveryForEachRecipient },
  { name: '0079-whether-objects-are-stored', migration: whetherObjectsAreStored },
  { name: '0080-credit-budgets', migration: creditBudgets },
  { name: '0081-summaries-of-chats', migration: summariesOfChats },
  { name: '0082-waiting-chats', migration: waitingChats },
  { name: '0083-words-of-messages', migration: wordsOfMessages },
  { name: '0084-handoff-notices', migration: handoffNotices },
  { name: '0085-news-of-waiting-chats', migration: newsOfWaitingChats },
  { name: '0086-setting-of-handoff-notices', migration: settingOfHandoffNotices },
  { name: '0087-estimates-of-calls', migration: estimatesOfCalls },
  { name: '0088-sums-of-earlier-calls', migration: sumsOfEarlierCalls },
  { name: '0089-inboxes', migration: inboxes },
  { name: '0090-emails', migration: emails },
  { name: '0091-keys-of-emails', migration: keysOfEmails },
  { name: '0092-inbound-emails', migration: inboundEmails },
  { name: '0095-scheduled-messages', migration: scheduledMessages },
  { name: '0096-where-chats-come-from', migration: whereChatsComeFrom },
  { name: '0097-keys-that-messages-need', migration: keysThatMessagesNeed },
  { name: '0098-quiet-hours', migration: quietHours },
  { name: '0099-deliveries-that-wait', migration: deliveriesThatWait },
  { name: '0100-pace-of-numbers', migration: paceOfNumbers },
  { name: '0101-requests-of-agents', migration: requestsOfAgents },
  { name: '0102-approvals-of-tool-calls', migration: approvalsOfToolCalls },
  { name: '0103-notices-of-approvals', migration: noticesOfApprovals },
  { name: '0104-attempts-of-emails', migration: attemptsOfEmails },
  { name: '0106-unsubscribe-links', migration: unsubscribeLinks },
  { name: '0107-signatures-of-mail', migration: signaturesOfMail },
  { name: '0108-what-strangers-use-and-what-is-due', migration: whatStrangersUseAndWhatIsDue },
  { name: '0109-earlier-unsubscribe-links', migration: earlierUnsubscribeLinks },
  { name: '0110-shares-of-senders', migration: sharesOfSenders },
  { name: '0111-phone-calls', migration: phoneCalls },
  { name: '0112-countries-of-calls', migration: countriesOfCalls },
  { name: '0115-call-recordings', migration: callRecordings },
  { name: '0120-call-transfers', migration: callTransfers },
  { name: '0121-calls-a-day', migration: callsADay },
  { name: '0122-recording-notices', migration: recordingNotices },
  { name: '0123-after-calls', migration: afterCalls },
  { name: '0126-revisions-of-calls', migration: revisionsOfCalls },
];

export const migrationNames: readonly string[] = migrations.map((migration) => migration.name);

/**
 * The list in the form that knex takes. It is written out, so that compiled and uncompiled code run the same
 * migrations.
 */
export const migrationSource: Knex.MigrationSource<NamedMigration> = {
  getMigrations: async () => migrations,
  getMigrationName: ({ name }) => name,
  getMigration: async ({ migration }) => migration,
};
