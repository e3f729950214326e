import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import styles from './data.module.css';
import { memberById } from './queries.js';
import { useDataTexts } from './texts.js';

/** The name of a member, or its id where it has none or is not to be read. */
export function MemberName({ id }: { id: number }): ReactNode {
  const { uuid } = useWorkspace();
  const { data } = useQuery(memberById(uuid, id));
  return data === undefined ? `#${id}` : nameOf(data);
}

const nameOf = ({ id, name, email, phone }: Schemas['WorkspaceMemberResponse']): string =>
  name ?? email ?? phone ?? `#${id}`;

interface Props {
  label: string;
  value: number | undefined;
  onChange(id: number | undefined): void;
  /** Whether no member is a choice, too. */
  isOptional?: boolean;
  isDisabled?: boolean;
}

/** Chooses a member by searching for it. */
export function MemberPicker({ label, value, onChange, isOptional, isDisabled = false }: Props): ReactNode {
  const texts = useDataTexts();
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const choose = (chosen: number | undefined) => {
    setIsOpen(false);
    onChange(chosen);
  };
  return (
    <fieldset className={styles.picker} disabled={isDisabled} aria-labelledby={id}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      <span className="acts">
        <span>{value === undefined ? texts.nothing : <MemberName id={value} />}</span>
        <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {value === undefined ? texts.choose : texts.otherMember}
        </button>
        {isOptional === true && value !== undefined ? (
          <button type="button" onClick={() => choose(undefined)}>
            {filled(texts.removeFile, { name: label })}
          </button>
        ) : null}
      </span>
      {isOpen ? <FoundMembers onChoose={choose} /> : null}
    </fieldset>
  );
}

const mostFound = 8;

function FoundMembers({ onChoose }: { onChoose(id: number): void }): ReactNode {
  const texts = useDataTexts();
  const { uuid } = useWorkspace();
  const [search, setSearch] = useState('');
  const { data, error } = useQuery({
    queryKey: [uuid, 'members', 'found', search],
    queryFn: ({ signal }) => {
      const query = { search, kind: 'human' as const, pageSize: mostFound };
      const params = { path: { workspace_uuid: uuid }, query };
      return answer(api.GET('/w/{workspace_uuid}/members', { params, signal }));
    },
    enabled: search !== '',
    placeholderData: (before) => before,
  });
  return (
    <div className={styles.found}>
      <input
        type="search"
        // biome-ignore lint/a11y/noAutofocus: it appears because somebody asked for it.
        autoFocus
        aria-label={texts.findMember}
        placeholder={texts.findMember}
        value={search}
        onChange={({ target }) => setSearch(target.value.trimStart())}
      />
      <ErrorNotice error={error} />
      {search !== '' && data?.total === 0 ? <p role="status">{texts.noMember}</p> : null}
      <ul>
        {(search === '' ? [] : (data?.items ?? [])).map((member) => (
          <li key={member.id}>
            <button type="button" onClick={() => onChoose(member.id)}>
              {nameOf(member)}{' '}
              <span className="quiet">{member.name === null ? '' : (member.email ?? member.phone)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
