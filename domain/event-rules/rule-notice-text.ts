import type { RuleNotice } from './claim-rule-notice.js';

const why: Record<RuleNotice['reason'], (host: string) => string> = {
  gone: (host) => `Its receiver at ${host} answered that it is gone for good (status 410).`,
  failing: (host) => `Nothing that was sent to its receiver at ${host} was taken for five days.`,
};

/** What is written to an admin of a workspace when a rule was disabled. @param publicUrl without `/api/v2` */
export function ruleNoticeText(notice: RuleNotice, publicUrl: string): { subject: string; text: string } {
  const name = onOneLine(notice.ruleName);
  const rule = `${publicUrl}/api/v2/w/${notice.workspaceUuid}/event-rules/${notice.ruleId}`;
  const text = [
    `The event rule "${name}" of ${onOneLine(notice.workspaceName)} was disabled at ${notice.disabledAt.toISOString()}.`,
    '',
    why[notice.reason](notice.host),
    'No more events are sent to it, and those that happen meanwhile pass it by.',
    '',
    'If nobody needs the receiver any more, delete the rule. Otherwise mend the receiver or give the rule another URL,',
    'and then:',
    '',
    `1. Send a sample:                POST ${rule}/test`,
    `2. Enable the rule:              POST ${rule}/enable`,
    `3. Deliver again what failed:    POST ${rule}/redeliveries`,
    '',
  ].join('\n');
  return { subject: `The event rule "${name}" was disabled`, text };
}

/** A name is a line of its own in no place: what looks like one could pass for ours. */
function onOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
