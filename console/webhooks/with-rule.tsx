import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isGone } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Page } from '../kit/page.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import { type Rule, ruleQuery } from './queries.js';
import { useWebhookTexts } from './texts.js';

/** The rule that the address names, or why it cannot be shown. */
export function WithRule({ children }: { children(rule: Rule): ReactNode }): ReactNode {
  const texts = useTexts();
  const webhookTexts = useWebhookTexts();
  const { uuid } = useWorkspace();
  const { ruleId } = useParams({ strict: false });
  const { data, error } = useQuery(ruleQuery(uuid, Number(ruleId)));
  if (data !== undefined && !isGone(error)) {
    return (
      <>
        <ErrorNotice error={error} />
        {children(data)}
      </>
    );
  }
  return (
    <Page title={webhookTexts.rules} above={<ToRules />}>
      {error === null ? <p role="status">{texts.loading}</p> : <ErrorNotice error={error} />}
    </Page>
  );
}

export function ToRules(): ReactNode {
  const texts = useWebhookTexts();
  const { uuid } = useWorkspace();
  return (
    <Link to="/w/$workspace/webhooks" params={{ workspace: uuid }}>
      {texts.title}
    </Link>
  );
}

export function ToRule({ rule }: { rule: Rule }): ReactNode {
  const { uuid } = useWorkspace();
  return (
    <Link to="/w/$workspace/webhooks/$ruleId" params={{ workspace: uuid, ruleId: String(rule.id) }}>
      {rule.name}
    </Link>
  );
}
