import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import { Labels } from './labels.js';
import { labelsQuery, type Member, membersChanged } from './queries.js';
import { useMemberTexts } from './texts.js';

/** The labels of one member; who may adds and removes them. */
export function MemberLabels({ member: { id, labels } }: { member: Member }): ReactNode {
  const texts = useMemberTexts();
  const { uuid, can } = useWorkspace();
  const queries = useQueryClient();
  const { data: all } = useQuery(labelsQuery(uuid));
  const change = useMutation({
    mutationFn: async (changed: { labelIds: number[] } | { removedLabelIds: number[] }) => {
      const { failed } = await answer(
        api.POST('/w/{workspace_uuid}/members/label', {
          params: { path: { workspace_uuid: uuid } },
          body: { memberIds: [id], ...changed },
        }),
      );
      return failed;
    },
    onSettled: () => membersChanged(queries, uuid),
  });
  const mayWrite = can('members:write');
  const others = all?.items.filter((one) => !labels.some((label) => label.id === one.id)) ?? [];
  return (
    <div className="acts">
      {labels.length === 0 ? <span className="quiet">{texts.noLabels}</span> : null}
      <Labels
        labels={labels}
        act={(label) =>
          mayWrite ? (
            <button
              type="button"
              aria-label={filled(texts.removeNamed, { name: label.name })}
              disabled={change.isPending}
              onClick={() => change.mutate({ removedLabelIds: [label.id] })}
            >
              ×
            </button>
          ) : null
        }
      />
      {mayWrite && others.length > 0 ? (
        <select
          aria-label={texts.addLabel}
          value=""
          disabled={change.isPending}
          onChange={({ target }) => change.mutate({ labelIds: [Number(target.value)] })}
        >
          <option value="">{texts.addLabel}</option>
          {others.map((label) => (
            <option key={label.id} value={label.id}>
              {label.name}
            </option>
          ))}
        </select>
      ) : null}
      {change.data?.map(({ memberId, message }) => (
        <p key={memberId} role="alert" className="error">
          {message}
        </p>
      ))}
      <ErrorNotice error={change.error} />
    </div>
  );
}
