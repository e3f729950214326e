import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import { useWorkspace } from '../kit/workspace.js';
import { type Template, templatesForChat } from '../templates/queries.js';
import styles from './template-picker.module.css';
import { useInboxTexts } from './texts.js';

interface Props {
  chatId: number;
  /** Takes the text that was chosen. */
  insert(text: string): void;
  /** Called by Escape. */
  close(): void;
  /** Called when the focus has left. */
  leave(): void;
}

/** Chooses a message template by its name, shortcut or text, filled for this chat. */
export function TemplatePicker({ chatId, insert, close, leave }: Props): ReactNode {
  const texts = useInboxTexts();
  const { uuid, can } = useWorkspace();
  const listId = useId();
  const [search, setSearch] = useState('');
  const [place, setPlace] = useState(0);
  const wanted = search.trim().toLowerCase();
  const { data, error } = useQuery(templatesForChat(uuid, chatId, wanted));
  const shown = matching(data?.items ?? [], wanted);
  const active = Math.min(place, shown.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = shown[active];
    const acts: Record<string, () => void> = {
      ArrowDown: () => setPlace(active + 1 < shown.length ? active + 1 : 0),
      ArrowUp: () => setPlace(active > 0 ? active - 1 : shown.length - 1),
      Enter: () => chosen !== undefined && insert(textOf(chosen)),
      Escape: close,
      // An answer may begin with the sign itself.
      ...(search === '' ? { '/': () => insert('/') } : {}),
    };
    const act = acts[event.key];
    if (act === undefined || event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229) return;
    event.preventDefault();
    act();
  };
  return (
    <div className={styles.picker}>
      <input
        // biome-ignore lint/a11y/noAutofocus: it is opened to type in it.
        autoFocus
        role="combobox"
        aria-label={texts.searchTemplates}
        placeholder={texts.searchTemplates}
        aria-expanded={shown.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={shown.length > 0 ? `${listId}-${active}` : undefined}
        maxLength={200}
        value={search}
        onChange={({ target }) => {
          setSearch(target.value);
          setPlace(0);
        }}
        onKeyDown={onKeyDown}
        onBlur={({ target, relatedTarget }) => {
          if (target.parentElement?.contains(relatedTarget) !== true) leave();
        }}
      />
      {shown.length > 0 ? (
        <div
          role="listbox"
          id={listId}
          aria-label={texts.templates}
          className={styles.list}
          // The focus stays in the field.
          onMouseDown={(event) => event.preventDefault()}
        >
          {shown.map((template, index) => (
            <Option
              key={template.id}
              id={`${listId}-${index}`}
              template={template}
              isActive={index === active}
              choose={() => insert(textOf(template))}
            />
          ))}
        </div>
      ) : null}
      <ErrorNotice error={error} />
      {data !== undefined && shown.length === 0 ? (
        <p role="status" className="quiet">
          {wanted === '' ? texts.noTemplates : texts.noTemplateFound}{' '}
          {can('workspace:write') ? (
            <Link to="/w/$workspace/templates" params={{ workspace: uuid }}>
              {texts.templates}
            </Link>
          ) : null}
        </p>
      ) : null}
    </div>
  );
}

interface OptionProps {
  id: string;
  template: Template;
  isActive: boolean;
  choose(): void;
}

function Option({ id, template, isActive, choose }: OptionProps): ReactNode {
  const { name, shortcut } = template;
  return (
    <button
      type="button"
      role="option"
      id={id}
      aria-selected={isActive}
      tabIndex={-1}
      ref={(button) => {
        if (isActive) button?.scrollIntoView({ block: 'nearest' });
      }}
      onClick={choose}
    >
      <strong>{name}</strong> {shortcut === null ? null : <code>/{shortcut}</code>}
      <span dir="auto">{textOf(template)}</span>
    </button>
  );
}

const textOf = ({ filled, text }: Template): string => filled ?? text;

/** Those that have the text, as the API finds them, with shortcuts that begin with it first. */
function matching(templates: readonly Template[], wanted: string): Template[] {
  const begins = ({ shortcut }: Template) => wanted !== '' && shortcut?.startsWith(wanted) === true;
  return templates
    .filter(({ name, shortcut, text }) =>
      [name, shortcut ?? '', text].some((one) => one.toLowerCase().includes(wanted)),
    )
    .toSorted((one, other) => Number(begins(other)) - Number(begins(one)));
}
