import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import styles from './members.module.css';
import { labelsQuery, memberQuery, membersChanged } from './queries.js';
import { useMemberTexts } from './texts.js';

/** How many members a request labels. */
const most = 500;

interface Props {
  ids: ReadonlySet<number>;
  onNone(): void;
}

/** Gives a label to the chosen members, or takes it from them. */
export function BulkLabels({ ids, onNone }: Props): ReactNode {
  const texts = useMemberTexts();
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  const id = useId();
  const [labelId, setLabelId] = useState(0);
  const { data: labels } = useQuery(labelsQuery(uuid));
  const label = useMutation({
    mutationFn: async (isGiven: boolean) => {
      const all = [...ids];
      const labelIds = [labelId];
      const failed: { name: string; message: string }[] = [];
      let updated = 0;
      for (let from = 0; from < all.length; from += most) {
        const memberIds = all.slice(from, from + most);
        const done = await answer(
          api.POST('/w/{workspace_uuid}/members/label', {
            params: { path: { workspace_uuid: uuid } },
            body: { memberIds, ...(isGiven ? { labelIds } : { removedLabelIds: labelIds }) },
          }),
        );
        updated += done.updated;
        for (const { memberId, message } of done.failed) {
          const member = await queries.query(memberQuery(uuid, memberId)).catch(() => undefined);
          failed.push({ name: member?.name ?? member?.email ?? String(memberId), message });
        }
      }
      return { updated, failed };
    },
    onSettled: () => membersChanged(queries, uuid),
  });
  if (ids.size === 0 && label.data === undefined) return null;
  const isOff = labelId === 0 || ids.size === 0 || label.isPending;
  return (
    <section className={styles.chosen} aria-label={texts.labels}>
      <strong>{filled(texts.chosen, { count: ids.size })}</strong>
      <label htmlFor={id} className="unseen">
        {texts.chooseLabel}
      </label>
      <select id={id} value={labelId} onChange={({ target }) => setLabelId(Number(target.value))}>
        <option value={0}>{texts.chooseLabel}</option>
        {labels?.items.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
      <button type="button" disabled={isOff} onClick={() => label.mutate(true)}>
        {texts.addLabel}
      </button>
      <button type="button" disabled={isOff} onClick={() => label.mutate(false)}>
        {texts.removeLabel}
      </button>
      <button
        type="button"
        className="link"
        onClick={() => {
          onNone();
          label.reset();
        }}
      >
        {texts.chooseNone}
      </button>
      {label.data === undefined ? null : (
        <div role="status">
          {filled(texts.labelled, { count: label.data.updated })}
          {label.data.failed.length === 0 ? null : (
            <>
              {' '}
              {texts.notLabelled}
              {label.data.failed.map(({ name, message }) => (
                <div key={name} className="error">
                  {name}: {message}
                </div>
              ))}
            </>
          )}
        </div>
      )}
      <ErrorNotice error={label.error} />
    </section>
  );
}
