import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useId, useState } from 'react';
import type { Schemas } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { useWorkspace } from '../kit/workspace.js';
import { membersFound } from './queries.js';
import styles from './runs.module.css';
import { useRunTexts } from './texts.js';

type Member = Schemas['WorkspaceMemberResponse'];

/** Finds a member by a part of its name or address; what is found is a list of buttons below the field. */
export function FindMember({ onChoose }: { onChoose(member: Member): void }): ReactNode {
  const texts = useRunTexts();
  const { uuid } = useWorkspace();
  const id = useId();
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  const { data, error } = useQuery({ ...membersFound(uuid, search), enabled: search !== '' });
  const choose = (member: Member) => {
    setText('');
    onChoose(member);
  };
  return (
    <div className={styles.find}>
      <label className="unseen" htmlFor={id}>
        {texts.findMember}
      </label>
      <input
        id={id}
        type="search"
        dir="auto"
        autoComplete="off"
        placeholder={texts.findMember}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          const [first] = data?.items ?? [];
          if (search !== '' && first !== undefined) choose(first);
        }}
      />
      <ErrorNotice error={error} />
      {search === '' || data === undefined ? null : (
        <ul className={styles.found} aria-label={texts.findMember}>
          {data.items.length === 0 ? <li className="quiet">{texts.noMemberFound}</li> : null}
          {data.items.map((member) => (
            <li key={member.id}>
              <button type="button" className="link" onClick={() => choose(member)}>
                {member.name ?? member.email ?? member.phone ?? member.id}
              </button>{' '}
              <span className="quiet">{member.phone ?? member.email ?? member.externalId}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
