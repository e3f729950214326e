import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { Choice } from '../kit/choice.js';
import { useKeptFocus } from '../kit/kept-focus.js';
import { useOwnClock } from '../kit/times.js';
import { filled } from '../texts/texts.js';
import { type CallsSearch, endedStatuses, liveStatuses } from './search.js';
import { useCallTexts } from './texts.js';

/** Restricts the list to a state, a direction, a member or days. */
export function CallFilters(): ReactNode {
  const texts = useCallTexts();
  const current = useSearch({ from: '/w/$workspace/calls/' });
  const navigate = useNavigate({ from: '/w/$workspace/calls' });
  const change = (changed: CallsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const clock = useOwnClock();
  return (
    <search className="filters">
      <Choice
        label={texts.state}
        all={texts.allStates}
        value={current.status}
        options={[...liveStatuses, ...endedStatuses].map((status) => [status, texts.states[status]])}
        onChange={(status) => change({ status })}
      />
      <Choice
        label={texts.direction}
        all={texts.bothDirections}
        value={current.direction}
        options={(['in', 'out'] as const).map((direction) => [direction, texts.directions[direction]])}
        onChange={(direction) => change({ direction })}
      />
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
      {current.from === undefined && current.until === undefined ? null : (
        <span className="quiet">{clock}</span>
      )}
      {current.member === undefined ? null : <OfMember onClear={() => change({ member: undefined })} />}
    </search>
  );
}

function OfMember({ onClear }: { onClear(): void }): ReactNode {
  const texts = useCallTexts();
  const clear = useRef<HTMLButtonElement>(null);
  useKeptFocus(clear);
  return (
    <>
      <span className="chip">{filled(texts.ofMember, { name: texts.oneMember })}</span>
      <button ref={clear} type="button" onClick={onClear}>
        {texts.allMembers}
      </button>
    </>
  );
}
