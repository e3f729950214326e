import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { filled, useTexts } from '../texts/texts.js';
import { answer, api, type Schemas } from './api.js';
import { ErrorNotice } from './error-notice.js';
import { Field, type FieldProps } from './field.js';
import styles from './member-picker.module.css';
import { useWorkspace } from './workspace.js';

type Member = Schemas['WorkspaceMemberResponse'];

const mostFound = 8;
const nameOf = ({ id, name, email, phone }: Member): string => name ?? email ?? phone ?? `#${id}`;

/** The name of a member, or its id where it has none or is not to be read; undefined for no member. */
function useMemberName(id: number | undefined): string | undefined {
  const { uuid } = useWorkspace();
  const { data } = useQuery({
    queryKey: [uuid, 'member', id],
    queryFn: () => {
      const path = { workspace_uuid: uuid, member_id: id ?? 0 };
      return answer(api.GET('/w/{workspace_uuid}/members/{member_id}', { params: { path } }));
    },
    enabled: id !== undefined,
  });
  if (id === undefined) return undefined;
  return data === undefined ? `#${id}` : nameOf(data);
}

export function MemberName({ id }: { id: number }): ReactNode {
  return useMemberName(id);
}

const peopleFound = (uuid: string, search: string) =>
  queryOptions({
    queryKey: [uuid, 'members', 'found', search],
    queryFn: ({ signal }) => {
      const query = { search, kind: 'human', pageSize: mostFound, sortBy: 'name' } as const;
      const params = { path: { workspace_uuid: uuid }, query };
      return answer(api.GET('/w/{workspace_uuid}/members', { params, signal }));
    },
    enabled: search !== '',
  });

interface FindProps {
  onChoose(member: Member): void;
  /** Whether it appears because somebody asked for it. */
  autoFocus?: boolean;
}

/** Finds a person by a part of the name or address; Enter chooses the first of those found. */
export function FindMember({ onChoose, autoFocus = false }: FindProps): ReactNode {
  const texts = useTexts();
  const { uuid } = useWorkspace();
  const [text, setText] = useState('');
  const search = text.trim();
  const { data, error } = useQuery(peopleFound(uuid, search));
  const found = data?.items;
  const choose = (member: Member) => {
    setText('');
    onChoose(member);
  };
  return (
    <div className={styles.find}>
      <input
        type="search"
        dir="auto"
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: only where somebody has asked for the field.
        autoFocus={autoFocus}
        aria-label={texts.findMember}
        placeholder={texts.findMember}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // The form around it is not to be sent.
          event.preventDefault();
          if (found?.[0] !== undefined) choose(found[0]);
        }}
      />
      <ErrorNotice error={error} />
      {found === undefined ? null : (
        <ul className={styles.found} aria-label={texts.findMember}>
          {found.length === 0 ? <li className="quiet">{texts.noMemberFound}</li> : null}
          {found.map((member) => (
            <li key={member.id}>
              <button type="button" className="link" onClick={() => choose(member)}>
                {nameOf(member)}
              </button>{' '}
              <span className="quiet">{member.phone ?? member.email ?? member.externalId}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface Props extends FieldProps {
  value: number | undefined;
  onChange(id: number | undefined): void;
  /** Whether no member is a choice, too. */
  isOptional?: boolean;
}

/** A field for a person, who is searched for. */
export function MemberPicker({ value, onChange, isOptional = false, ...field }: Props): ReactNode {
  const texts = useTexts();
  const name = useMemberName(value);
  const [isOpen, setIsOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const choose = (id: number | undefined) => {
    setIsOpen(false);
    onChange(id);
    opener.current?.focus();
  };
  const said = name ?? texts.chooseMember;
  return (
    <Field {...field}>
      {(control) => (
        <div className={styles.picker}>
          <span className="acts">
            <button
              {...control}
              ref={opener}
              type="button"
              aria-label={`${field.label}: ${said}`}
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
            >
              {said}
            </button>
            {isOptional && name !== undefined ? (
              <button
                type="button"
                aria-label={filled(texts.removeMember, { name })}
                onClick={() => choose(undefined)}
              >
                ×
              </button>
            ) : null}
          </span>
          {isOpen ? <FindMember autoFocus onChoose={({ id }) => choose(id)} /> : null}
        </div>
      )}
    </Field>
  );
}
