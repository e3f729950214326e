import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Choice } from '../kit/choice.js';
import { useWorkspace } from '../kit/workspace.js';
import { eventTypes } from './queries.js';
import type { EventType } from './search.js';
import { useWebhookTexts } from './texts.js';
import styles from './webhooks.module.css';

/** Leads from the rules to the events and back. */
export function Parts(): ReactNode {
  const texts = useWebhookTexts();
  const { uuid } = useWorkspace();
  const params = { workspace: uuid };
  return (
    <nav aria-label={texts.parts} className="parts">
      <Link to="/w/$workspace/webhooks" params={params} activeOptions={{ exact: true, includeSearch: false }}>
        {texts.rules}
      </Link>
      <Link to="/w/$workspace/webhooks/events" params={params} activeOptions={{ includeSearch: false }}>
        {texts.events}
      </Link>
    </nav>
  );
}

export function EventTypeFilter({
  value,
  onChange,
}: {
  value: EventType | undefined;
  onChange(value: EventType | undefined): void;
}): ReactNode {
  const texts = useWebhookTexts();
  const { data: types = [] } = useQuery(eventTypes());
  const options = types.map(({ name }) => [name as EventType, name] as const);
  return (
    <Choice
      label={texts.eventType}
      all={texts.allEvents}
      value={value}
      options={options}
      onChange={onChange}
    />
  );
}

/** A body as it is read by people. */
export function Json({ value, label }: { value: unknown; label: string }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
    <section className={styles.json} tabIndex={0} aria-label={label}>
      <pre>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
    </section>
  );
}
