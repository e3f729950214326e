export { answerChat } from './answer-chat.js';
export { deliverMessages } from './deliver-messages.js';
export { deliverWebhook } from './deliver-webhook.js';
export { forgetOldEvents } from './forget-old-events.js';
export { reconcileRuns } from './reconcile-runs.js';
export { runAssignment } from './run-assignment.js';
export { sendLoginCode } from './send-login-code.js';
export { sendRuleNotice } from './send-rule-notice.js';
