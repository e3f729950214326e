import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answer, api, isGone } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Section } from '../kit/page.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useLocale, useTexts } from '../texts/texts.js';
import { EraseMember, Erasure } from './erasure.js';
import styles from './members.module.css';
import { followMs, memberKey } from './queries.js';
import { useMemberTexts } from './texts.js';

/** The archive of what is stored about a person, and its erasure; both also after it was deleted. */
export function PersonalData({ memberId, isDeleted }: { memberId: number; isDeleted: boolean }): ReactNode {
  const texts = useMemberTexts();
  const { me, can } = useWorkspace();
  const mayExport = can('person_data:export');
  const mayErase = can('person_data:erase') && me.id !== memberId;
  if (!mayExport && !mayErase) return null;
  return (
    <Section title={texts.personalData}>
      {isDeleted && mayErase ? <Erasure memberId={memberId} /> : null}
      {mayExport ? <Archive memberId={memberId} /> : null}
      {!isDeleted && mayErase ? <EraseMember memberId={memberId} /> : null}
    </Section>
  );
}

/** The newest archive, which is looked for once somebody asks, and another one that can be requested. */
function Archive({ memberId }: { memberId: number }): ReactNode {
  const texts = useMemberTexts();
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  const [isShown, setIsShown] = useState(false);
  const params = { path: { workspace_uuid: uuid, member_id: memberId } };
  const key = [...memberKey(uuid, memberId), 'data-export'];
  const request = useMutation({
    mutationFn: () => answer(api.POST('/w/{workspace_uuid}/members/{member_id}/data-export', { params })),
    onSuccess: (requested) => {
      queries.setQueryData(key, requested);
      setIsShown(true);
    },
  });
  return (
    <>
      <p className="quiet">{texts.exportConsequence}</p>
      <div className="acts">
        <button type="button" disabled={request.isPending} onClick={() => request.mutate()}>
          {texts.exportRequest}
        </button>
        {isShown ? null : (
          <button type="button" className="link" onClick={() => setIsShown(true)}>
            {texts.showExport}
          </button>
        )}
      </div>
      <ErrorNotice error={request.error} />
      {isShown ? <Newest memberId={memberId} /> : null}
    </>
  );
}

function Newest({ memberId }: { memberId: number }): ReactNode {
  const common = useTexts();
  const texts = useMemberTexts();
  const locale = useLocale();
  const { uuid } = useWorkspace();
  const params = { path: { workspace_uuid: uuid, member_id: memberId } };
  const { data, error } = useQuery({
    queryKey: [...memberKey(uuid, memberId), 'data-export'],
    // The address of an archive is valid for a quarter of an hour.
    refetchInterval: ({ state }) => (state.data?.state === 'building' ? followMs : 10 * 60_000),
    queryFn: () => answer(api.GET('/w/{workspace_uuid}/members/{member_id}/data-export', { params })),
  });
  if (isGone(error)) return <p>{texts.noExport}</p>;
  if (data === undefined) {
    return error === null ? <p role="status">{common.loading}</p> : <ErrorNotice error={error} />;
  }
  const { state, failureReason, rows, files, leftOut, bytes, createdAt, expiresAt, downloadUrl } = data;
  return (
    <div role="status" className={styles.archive}>
      <ErrorNotice error={error} />
      <p>
        <strong>{texts.exportStates[state]}</strong>{' '}
        {failureReason === null ? '' : texts.exportFailures[failureReason]}{' '}
        <span className="quiet">
          <At at={createdAt} withDay />
        </span>
      </p>
      {state !== 'ready' ? null : (
        <>
          <p>
            {filled(texts.exportHas, { rows, files, size: sizeOf(bytes ?? 0, locale) })}
            {leftOut === 0 ? '' : ` ${filled(texts.leftOut, { count: leftOut })}`}
          </p>
          <p className="acts">
            {downloadUrl === null ? null : (
              <a className="button" href={downloadUrl} download>
                {texts.download}
              </a>
            )}
            {expiresAt === null ? null : (
              <span className="quiet">
                {texts.deletedAt} <At at={expiresAt} withDay />
              </span>
            )}
          </p>
        </>
      )}
    </div>
  );
}

/** A number of bytes, as people read it. */
function sizeOf(bytes: number, locale: string): string {
  const [unit, size] =
    bytes < 1_000_000 ? (['kilobyte', bytes / 1_000] as const) : (['megabyte', bytes / 1_000_000] as const);
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }).format(size);
}
