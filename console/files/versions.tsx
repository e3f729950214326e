import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { MemberName } from '../kit/member-picker.js';
import { More } from '../kit/more.js';
import { Status } from '../kit/page.js';
import { At } from '../kit/times.js';
import { useAct } from '../kit/use-act.js';
import { useRequestKey } from '../kit/use-request-key.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useLocale } from '../texts/texts.js';
import styles from './files.module.css';
import { bytesAddress, mayChange, type StoredFile, type Version, versionsOf } from './queries.js';
import { sizeOf } from './size.js';
import { ChooseFiles } from './take-files.js';
import { useFileTexts } from './texts.js';
import { upload } from './uploads.js';

/** The versions of a file, the newest first. An earlier one is restored as a new one. */
export function Versions({ file }: { file: StoredFile }): ReactNode {
  const texts = useFileTexts();
  const { uuid } = useWorkspace();
  const versions = useInfiniteQuery(versionsOf(uuid, file.id));
  const { data, error } = versions;
  const { header, onSettled } = useRequestKey();
  const restore = useAct(
    (number: number) => {
      const path = { workspace_uuid: uuid, file_id: file.id, version_number: number };
      return answer(
        api.POST('/w/{workspace_uuid}/files/{file_id}/versions/{version_number}/restore', {
          params: { path, header },
        }),
      );
    },
    ['files'],
  );
  return (
    <>
      {mayChange(file) ? (
        <div className="acts">
          <ChooseFiles
            label={texts.newVersion}
            onFiles={(files) => upload(uuid, { file: file.id }, files.slice(0, 1))}
          />
        </div>
      ) : null}
      <ErrorNotice error={restore.error ?? error} />
      <ol className={styles.rows} aria-label={texts.versions}>
        {data?.pages
          .flatMap(({ items }) => items)
          .map((version) => (
            <VersionItem
              key={version.id}
              file={file}
              version={version}
              isRestoring={restore.isPending}
              onRestore={() => restore.mutate(version.number, { onSettled })}
            />
          ))}
      </ol>
      <More query={versions} />
    </>
  );
}

interface ItemProps {
  file: StoredFile;
  version: Version;
  isRestoring: boolean;
  onRestore(): void;
}

function VersionItem({ file, version, isRestoring, onRestore }: ItemProps): ReactNode {
  const texts = useFileTexts();
  const locale = useLocale();
  const { uuid, can } = useWorkspace();
  const { number, isCurrent, filename, fileSize, createdAt, uploadedByMemberId: by } = version;
  const name = filled(texts.version, { number });
  return (
    <li>
      <p>
        <strong>{name}</strong> {isCurrent ? <Status tone="done">{texts.current}</Status> : null}{' '}
        <span dir="auto">{filename}</span> <span className="quiet">{sizeOf(fileSize, locale)}</span>
      </p>
      <p className="quiet">
        <At at={createdAt} withDay />
        {by === null || !can('members:read') ? null : (
          <>
            {' · '}
            <MemberName id={by} />
          </>
        )}
      </p>
      <div className="acts">
        <a href={bytesAddress(uuid, file.id, number)} download aria-label={`${texts.download}: ${name}`}>
          {texts.download}
        </a>
        {isCurrent || !mayChange(file) ? null : (
          <button
            type="button"
            aria-label={`${texts.restore}: ${name}`}
            disabled={isRestoring}
            onClick={onRestore}
          >
            {texts.restore}
          </button>
        )}
      </div>
    </li>
  );
}
