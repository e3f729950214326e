import type { ReactNode } from 'react';
import { Status } from '../kit/page.js';
import { At } from '../kit/times.js';
import type { Rule } from './queries.js';
import { useWebhookTexts } from './texts.js';

/** Whether a rule sends, and whether what it sends is accepted. */
export function RuleState({ rule }: { rule: Rule }): ReactNode {
  const texts = useWebhookTexts();
  const { enabled, disabledReason, failingSince, receiverAnsweredAt } = rule;
  if (!enabled) {
    const byMember = disabledReason === null || disabledReason === 'by_member';
    return (
      <Status tone={byMember ? 'quiet' : 'danger'}>
        {texts.disabledReasons[disabledReason ?? 'by_member']}
      </Status>
    );
  }
  if (failingSince !== null) {
    return (
      <Status tone="danger">
        {texts.failingSince} <At at={failingSince} withDay />
      </Status>
    );
  }
  if (receiverAnsweredAt === null) return <Status tone="warning">{texts.neverAnswered}</Status>;
  return <Status tone="done">{texts.active}</Status>;
}

/** What a person has to know of a rule that does not deliver. */
export function RuleNotice({ rule }: { rule: Rule }): ReactNode {
  const texts = useWebhookTexts();
  if (!rule.enabled) return <p className="banner">{texts.disabledNotice}</p>;
  if (rule.failingSince !== null) {
    return (
      <p className="banner">
        {texts.failingNotice} <At at={rule.failingSince} withDay />. {texts.failingHelp}
      </p>
    );
  }
  return rule.receiverAnsweredAt === null ? <p className="banner">{texts.neverAnsweredNotice}</p> : null;
}
