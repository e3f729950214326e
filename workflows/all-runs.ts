export { answerChat } from './answer-chat.js';
export { applyLabelChange } from './apply-label-change.js';
export { crawlSite } from './crawl-site.js';
export { deliverMessages } from './deliver-messages.js';
export { deliverWebhook } from './deliver-webhook.js';
export { erasePersonData } from './erase-person-data.js';
export { exportPersonData } from './export-person-data.js';
export { fetchMedia } from './fetch-media.js';
export { importMembers } from './import-members.js';
export { indexFile } from './index-file.js';
export { publishPage } from './publish-page.js';
export { receiveEmail } from './receive-email.js';
export { runAssignment } from './run-assignment.js';
export { runVoiceCall } from './run-voice-call.js';
export {
  askForReceipts,
  collectObjects,
  forgetOldData,
  forgetOldEvents,
  forgetOldKeys,
  receiveMissedMessages,
  recheckSiteDomains,
  reconcileRuns,
  startDueCrawls,
  storeTextPrices,
  tellOfWaitingChats,
} from './schedules.js';
export { sendLoginCode } from './send-login-code.js';
export { sendHandoffNotice, sendRuleNotice } from './send-notices.js';
export { sendScheduledMessage } from './send-scheduled-message.js';
export { summarizeChat } from './summarize-chat.js';
export { wakeAssignments } from './wake-assignments.js';
