import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import { useAct } from '../kit/use-act.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import { Labels } from './parts.js';
import { labelsQuery, mayChange, type StoredFile } from './queries.js';
import { useFileTexts } from './texts.js';

interface Props {
  file: StoredFile;
  /** The labels that it has now. */
  read(): Promise<number[]>;
  save(labelIds: number[]): Promise<unknown>;
}

/** The labels of a file; who may change it adds and removes them. */
export function FileLabels({ file, read, save }: Props): ReactNode {
  const texts = useFileTexts();
  const { uuid, can } = useWorkspace();
  const { data: all, error } = useQuery(labelsQuery(uuid));
  const change = useAct(
    async ({ id, isAdded }: { id: number; isAdded: boolean }) => {
      // The API takes all labels: others may have changed them.
      const others = (await read()).filter((one) => one !== id);
      await save(isAdded ? [...others, id] : others);
    },
    ['files'],
  );
  const ids = file.labels.map(({ id }) => id);
  const others = all?.items.filter(({ id }) => !ids.includes(id)) ?? [];
  return (
    <div className="acts">
      <span>{texts.labels}</span>
      {ids.length === 0 ? <span className="quiet">{texts.unlabelled}</span> : null}
      <Labels
        labels={file.labels}
        act={({ id, name }) =>
          mayChange(file) ? (
            <button
              type="button"
              aria-label={filled(texts.removeLabel, { name })}
              disabled={change.isPending}
              onClick={() => change.mutate({ id, isAdded: false })}
            >
              ×
            </button>
          ) : null
        }
      />
      {mayChange(file) && others.length > 0 ? (
        <select
          aria-label={texts.addLabel}
          value=""
          disabled={change.isPending}
          onChange={({ target }) => change.mutate({ id: Number(target.value), isAdded: true })}
        >
          <option value="">{texts.addLabel}</option>
          {others.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      ) : null}
      {all?.total === 0 && can('files:write') ? (
        <Link to="/w/$workspace/settings/labels" params={{ workspace: uuid }} search={{ kind: 'file' }}>
          {texts.makeLabels}
        </Link>
      ) : null}
      <ErrorNotice error={change.error ?? error} />
    </div>
  );
}
