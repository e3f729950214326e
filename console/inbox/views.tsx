import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWorkspace } from '../kit/workspace.js';
import styles from './inbox.module.css';
import { queueCounts } from './queries.js';
import { views } from './search.js';
import { useInboxTexts } from './texts.js';

/** The lists of the inbox, of which one is shown. */
export function Views(): ReactNode {
  const texts = useInboxTexts();
  const { uuid } = useWorkspace();
  const { view: current = 'waiting' } = useSearch({ from: '/w/$workspace/inbox' });
  const { data: counts } = useQuery(queueCounts(uuid));
  return (
    <nav aria-label={texts.lists} className={styles.views}>
      {views.map((view) => (
        <Link
          key={view}
          to="/w/$workspace/inbox"
          params={{ workspace: uuid }}
          search={(before) => ({ ...before, view, reason: undefined })}
          aria-current={view === current ? 'page' : undefined}
        >
          {texts.views[view]} {view === 'waiting' && counts !== undefined ? counts.total : null}
        </Link>
      ))}
    </nav>
  );
}
