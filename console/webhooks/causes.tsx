import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import { wordsOf } from '../kit/words-of.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import { causesQuery, type Rule } from './queries.js';
import { useWebhookTexts } from './texts.js';
import styles from './webhooks.module.css';

/** How many deliveries failed, and why. */
export function Causes({ rule }: { rule: Rule }): ReactNode {
  const texts = useWebhookTexts();
  const { uuid } = useWorkspace();
  const { data, error } = useQuery(causesQuery(uuid, rule.id));
  if (data === undefined || data.total === 0) return <ErrorNotice error={error} />;
  const count = data.totalIsExact ? data.total : `${data.total}+`;
  return (
    <details className={styles.causes}>
      <summary>{filled(texts.failedBy, { count })}</summary>
      <ErrorNotice error={error} />
      <ul>
        {data.causes.map(({ failureReason, statusCode, errorCode, count: of }) => (
          <li key={`${failureReason} ${statusCode} ${errorCode}`}>
            <strong>{of}</strong> {wordsOf(failureReason, texts.reasons)}
            {statusCode === undefined ? null : `: ${filled(texts.answeredWith, { status: statusCode })}`}
            {errorCode === undefined ? null : `: ${wordsOf(errorCode, texts.errors)}`}
          </li>
        ))}
      </ul>
    </details>
  );
}
