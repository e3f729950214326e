import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Choice } from '../kit/choice.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { useWorkspace } from '../kit/workspace.js';
import { labelsQuery } from './queries.js';
import { accesses, type FilesSearch, kinds } from './search.js';
import { useFileTexts } from './texts.js';

interface Props {
  search: FilesSearch;
  onChange(changed: FilesSearch): void;
}

/** Restricts the list, or has it show the files of all folders. */
export function Filters({ search: { all, kind, label, access }, onChange }: Props): ReactNode {
  const texts = useFileTexts();
  const { uuid } = useWorkspace();
  const { data: labels, error } = useQuery(labelsQuery(uuid));
  return (
    <>
      <Choice
        label={texts.where}
        all={texts.thisFolder}
        value={all && 'all'}
        options={[['all', texts.allFolders]]}
        onChange={(chosen) => onChange({ all: chosen && true })}
      />
      <Choice
        label={texts.kind}
        all={texts.allKinds}
        value={kind}
        options={kinds.map((one) => [one, texts.kinds[one]])}
        onChange={(chosen) => onChange({ kind: chosen })}
      />
      {labels === undefined || (labels.total === 0 && label === undefined) ? null : (
        <Choice
          label={texts.labels}
          all={texts.allLabels}
          value={label}
          options={labels.items.map(({ id, name }) => [id, name])}
          onChange={(chosen) => onChange({ label: chosen })}
        />
      )}
      <Choice
        label={texts.seenBy}
        all={texts.seenByAny}
        value={access}
        options={accesses.map((one) => [one, texts.accesses[one]])}
        onChange={(chosen) => onChange({ access: chosen })}
      />
      <ErrorNotice error={error} />
    </>
  );
}
