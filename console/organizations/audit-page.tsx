import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback } from 'react';
import { answer, api } from '../kit/api.js';
import { changedByOthers } from '../kit/changed-by-others.js';
import { type Column, Grid } from '../kit/grid.js';
import { Page } from '../kit/page.js';
import type { PageQuery } from '../kit/paged-rows.js';
import { At } from '../kit/times.js';
import { type AuditEvent, actionText } from '../settings/audit/actions.js';
import { useAuditTexts } from '../settings/audit/texts.js';
import { useOrganization } from './organization-shell.js';
import { membersPage, pageSize } from './queries.js';
import { useOrganizationTexts } from './texts.js';

/** Who did what in the organization, the newest first. */
export function AuditPage(): ReactNode {
  const texts = useOrganizationTexts();
  const words = useAuditTexts();
  const { uuid } = useOrganization();
  const members = useQuery(membersPage(uuid, 1));
  const page = useCallback((number: number) => auditPage(uuid, number), [uuid]);
  const nameOf = (id: number): string => {
    const member = members.data?.items.find((one) => one.id === id);
    return member?.name ?? member?.email ?? `#${id}`;
  };
  const columns: Column<AuditEvent>[] = [
    { id: 'when', title: words.when, width: '12rem', cell: ({ createdAt }) => <At at={createdAt} withDay /> },
    {
      id: 'who',
      title: words.who,
      width: '11rem',
      cell: ({ actorMemberId }) =>
        actorMemberId === null ? <span className="quiet">{words.nobody}</span> : nameOf(actorMemberId),
    },
    { id: 'what', title: words.what, width: '20rem', cell: ({ action }) => actionText(action, words) },
    { id: 'names', title: words.names, cell: ({ names }) => names.join(', ') },
    { id: 'from', title: words.address, width: '10.5rem', cell: ({ address }) => address },
  ];
  return (
    <Page
      fills
      title={texts.audit}
      acts={
        <a className="button" href={`/api/v2/organizations/${uuid}/audit-events/export`} download>
          {words.export}
        </a>
      }
    >
      <Grid label={texts.audit} columns={columns} pageSize={pageSize} page={page} empty={words.none} />
    </Page>
  );
}

function auditPage(uuid: string, page: number): PageQuery<AuditEvent> {
  const params = { path: { organization_uuid: uuid }, query: { page, pageSize } };
  return {
    ...changedByOthers,
    queryKey: [uuid, 'audit', page],
    queryFn: ({ signal }) =>
      answer(api.GET('/organizations/{organization_uuid}/audit-events', { params, signal })),
  };
}
