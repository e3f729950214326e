import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import styles from './inbox.module.css';
import { queueCounts } from './queries.js';
import { type Channel, channels, type InboxSearch } from './search.js';
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
      search: { ...current, ...changed },
      replace: true,
    });
  const isQueue = current.view !== 'answered' && current.view !== 'all';
  return (
    <search className={styles.filters}>
      <input
        type="search"
        aria-label={texts.searchChats}
        placeholder={texts.searchChats}
        defaultValue={current.search}
        onKeyDown={({ key, nativeEvent, currentTarget }) => {
          if (key === 'Enter' && !nativeEvent.isComposing && nativeEvent.keyCode !== 229)
            change({ search: currentTarget.value.trim() || undefined });
        }}
      />
      <select
        aria-label={texts.channel}
        value={current.channel ?? ''}
        onChange={({ target }) => change({ channel: (target.value || undefined) as Channel | undefined })}
      >
        <option value="">{texts.allChannels}</option>
        {channels.map((channel) => (
          <option key={channel} value={channel}>
            {shared.channels[channel]}
          </option>
        ))}
      </select>
      {isQueue ? (
        <select
          aria-label={texts.reason}
          value={current.reason ?? ''}
          onChange={({ target }) => change({ reason: target.value || undefined })}
        >
          <option value="">{texts.allReasons}</option>
          {counts?.byReason.flatMap(({ reason, count }) =>
            reason === null
              ? []
              : [
                  <option key={reason} value={reason}>
                    {`${texts.reasons[reason]} (${count})`}
                  </option>,
                ],
          )}
        </select>
      ) : null}
    </search>
  );
}
