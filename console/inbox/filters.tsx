import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Choice } from '../kit/choice.js';
import { SearchField } from '../kit/search-field.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import styles from './inbox.module.css';
import { queueCounts } from './queries.js';
import { channels, type InboxSearch } from './search.js';
import { useInboxTexts } from './texts.js';

/** Restricts the list to a channel, a reason or a text. */
export function Filters(): ReactNode {
  const texts = useInboxTexts();
  const shared = useTexts();
  const { uuid } = useWorkspace();
  const current = useSearch({ from: '/w/$workspace/inbox' });
  const navigate = useNavigate();
  const { data: counts } = useQuery(queueCounts(uuid));
  const change = (changed: InboxSearch) =>
    void navigate({
      to: '/w/$workspace/inbox',
      params: { workspace: uuid },
      search: (before) => ({ ...before, ...changed }),
      replace: true,
    });
  const isQueue = current.view !== 'answered' && current.view !== 'all';
  return (
    <search className={styles.filters}>
      <SearchField
        label={texts.searchChats}
        value={current.search}
        onSearch={(search) => change({ search })}
      />
      <Choice
        label={texts.channel}
        all={texts.allChannels}
        value={current.channel}
        options={channels.map((channel) => [channel, shared.channels[channel]])}
        onChange={(channel) => change({ channel })}
      />
      {isQueue ? (
        <Choice
          label={texts.reason}
          all={texts.allReasons}
          value={current.reason}
          options={(counts?.byReason ?? []).flatMap(({ reason, count }) =>
            reason === null ? [] : [[reason, `${texts.reasons[reason]} (${count})`] as const],
          )}
          onChange={(reason) => change({ reason })}
        />
      ) : null}
    </search>
  );
}
