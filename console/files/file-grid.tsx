import { hashKey } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { type Column, Grid } from '../kit/grid.js';
import { MemberName } from '../kit/member-picker.js';
import { Ago } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useLocale } from '../texts/texts.js';
import { Chosen } from './chosen.js';
import { Findable, Labels, Seen } from './parts.js';
import { filesPage, pageSize, type StoredFile } from './queries.js';
import { type FilesSearch, isNarrowed } from './search.js';
import { kindOf, sizeOf } from './size.js';
import { useFileTexts } from './texts.js';

const none: ReadonlySet<number> = new Set();

interface Props {
  search: FilesSearch;
  /** Whether files can be put here. */
  takesFiles: boolean;
  change(changed: FilesSearch): void;
}

/** The files of the list. While one is open beside it, only what tells them apart is shown. */
export function FileGrid({ search, takesFiles, change }: Props): ReactNode {
  const texts = useFileTexts();
  const { uuid, can } = useWorkspace();
  const { open, sortBy = 'title', sortOrder = 'asc' } = search;
  const columns = useColumns(open, search.all === true);
  const asked = hashKey(filesPage(uuid, search, 1).queryKey);
  // Of another list, none is chosen.
  const [chosen, setChosen] = useState({ asked, ids: none });
  const ids = chosen.asked === asked ? chosen.ids : none;
  const setIds = (changed: ReadonlySet<number>) => setChosen({ asked, ids: changed });
  return (
    <>
      <Chosen
        ids={ids}
        from={search.all ? 'many' : search.folder}
        onChange={setIds}
        onDeleted={(id) => {
          if (id === open) change({ open: undefined });
        }}
      />
      <Grid
        label={texts.files}
        columns={columns}
        pageSize={pageSize}
        page={(number) => filesPage(uuid, search, number)}
        sort={{ sortBy, sortOrder }}
        onSort={(sort) => change(sort as Pick<FilesSearch, 'sortBy' | 'sortOrder'>)}
        selection={
          can('files:write')
            ? { ids, onChange: setIds, label: ({ title }) => filled(texts.choose, { name: title }) }
            : undefined
        }
        empty={isNarrowed(search) ? texts.noneFound : takesFiles ? texts.none : texts.noneToRead}
      />
    </>
  );
}

function useColumns(open: FilesSearch['open'], hasFolders: boolean): readonly Column<StoredFile>[] {
  const texts = useFileTexts();
  const locale = useLocale();
  const { uuid, can } = useWorkspace();
  const namesMembers = can('members:read');
  return useMemo(() => {
    const name: Column<StoredFile> = {
      id: 'name',
      title: texts.name,
      sortBy: 'title',
      width: '14rem',
      cell: ({ id, title }) => (
        <Link
          from="/w/$workspace/files"
          to="/w/$workspace/files"
          params={{ workspace: uuid }}
          search={(all) => ({ ...all, open: id })}
          aria-current={open === id ? 'true' : undefined}
          dir="auto"
          title={title}
        >
          {title}
        </Link>
      ),
    };
    const size: Column<StoredFile> = {
      id: 'size',
      title: texts.size,
      width: '6rem',
      cell: ({ fileSize }) => sizeOf(fileSize, locale),
    };
    const changed: Column<StoredFile> = {
      id: 'changed',
      title: texts.changed,
      sortBy: 'updatedAt',
      width: '14rem',
      cell: ({ updatedAt, lastEditedByMemberId: by }) => (
        <>
          <Ago at={updatedAt} />
          {by === undefined || !namesMembers ? null : (
            <>
              {' · '}
              <MemberName id={by} />
            </>
          )}
        </>
      ),
    };
    if (open !== undefined) return [{ ...name, width: '50%' }, size, changed];
    const folder: Column<StoredFile> = {
      id: 'folder',
      title: texts.folder,
      width: '9rem',
      cell: (file) => file.folder?.name ?? texts.title,
    };
    return [
      name,
      ...(hasFolders ? [folder] : []),
      { id: 'kind', title: texts.kind, width: '6rem', cell: ({ mimeType }) => kindOf(mimeType) },
      size,
      { id: 'labels', title: texts.labels, width: '10rem', cell: ({ labels }) => <Labels labels={labels} /> },
      changed,
      { id: 'seen', title: texts.seenBy, width: '10rem', cell: (file) => <Seen of={file} /> },
      {
        id: 'indexing',
        title: texts.words,
        width: '9rem',
        cell: ({ indexing }) => <Findable state={indexing.state} />,
      },
    ];
  }, [texts, locale, uuid, namesMembers, open, hasFolders]);
}
