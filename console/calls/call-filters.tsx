import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import styles from './calls.module.css';
import { type CallStatus, type CallsSearch, endedStatuses, liveStatuses } from './search.js';
import { useCallTexts } from './texts.js';

/** Restricts the list to a state, a direction, a member or days. */
export function CallFilters(): ReactNode {
  const texts = useCallTexts();
  const { uuid } = useWorkspace();
  const current = useSearch({ from: '/w/$workspace/calls/' });
  const navigate = useNavigate();
  const change = (changed: CallsSearch) =>
    void navigate({
      to: '/w/$workspace/calls',
      params: { workspace: uuid },
      search: { ...current, ...changed },
      replace: true,
    });
  return (
    <search className={styles.filters}>
      <select
        aria-label={texts.state}
        value={current.status ?? ''}
        onChange={({ target }) => change({ status: (target.value || undefined) as CallStatus | undefined })}
      >
        <option value="">{texts.allStates}</option>
        {[...liveStatuses, ...endedStatuses].map((status) => (
          <option key={status} value={status}>
            {texts.states[status]}
          </option>
        ))}
      </select>
      <select
        aria-label={texts.direction}
        value={current.direction ?? ''}
        onChange={({ target }) =>
          change({ direction: (target.value || undefined) as 'in' | 'out' | undefined })
        }
      >
        <option value="">{texts.bothDirections}</option>
        <option value="in">{texts.directions.in}</option>
        <option value="out">{texts.directions.out}</option>
      </select>
      <label>
        {texts.from}{' '}
        <input
          type="date"
          value={current.from ?? ''}
          onChange={({ target }) => change({ from: target.value || undefined })}
        />
      </label>
      <label>
        {texts.until}{' '}
        <input
          type="date"
          value={current.until ?? ''}
          onChange={({ target }) => change({ until: target.value || undefined })}
        />
      </label>
      {current.member === undefined ? null : (
        <>
          <span className="chip">{filled(texts.ofMember, { name: texts.oneMember })}</span>
          <button type="button" onClick={() => change({ member: undefined })}>
            {texts.allMembers}
          </button>
        </>
      )}
    </search>
  );
}
