import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { answer, api } from '../kit/api.js';
import { changedByOthers } from '../kit/changed-by-others.js';
import { Choice } from '../kit/choice.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Page } from '../kit/page.js';
import { AuditLog, type AuditPageQuery, ExportLog, pageSize } from '../settings/audit/audit-log.js';
import { type AuditSearch, filtersOf } from '../settings/audit/search.js';
import { useAuditTexts } from '../settings/audit/texts.js';
import { OthersPage, useOrganization } from './organization-shell.js';
import { membersQuery } from './queries.js';
import { useOrganizationTexts } from './texts.js';

/** Who did what in the organization, and when. */
export function AuditPage(): ReactNode {
  const texts = useOrganizationTexts();
  const { isAdmin } = useOrganization();
  return isAdmin ? <AdminsPage /> : <OthersPage title={texts.audit} whose={texts.forAdmins} />;
}

function AdminsPage(): ReactNode {
  const texts = useOrganizationTexts();
  const words = useAuditTexts();
  const { uuid } = useOrganization();
  const search = useSearch({ from: '/organizations/$organization/audit' });
  const navigate = useNavigate({ from: '/organizations/$organization/audit' });
  const members = useQuery(membersQuery(uuid));
  const page = useCallback((number: number) => auditPage(uuid, search, number), [uuid, search]);
  const change = (changed: AuditSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  return (
    <Page fills title={texts.audit} acts={<ExportLog path={`organizations/${uuid}`} search={search} />}>
      <ErrorNotice error={members.error} />
      <AuditLog
        label={texts.audit}
        search={search}
        onSearch={change}
        page={page}
        Who={Who}
        byWhom={
          members.data === undefined ? null : (
            <Choice
              label={words.who}
              all={texts.everybody}
              value={search.member}
              options={members.data.items.map(({ id, name, email }) => [id, name ?? email ?? `#${id}`])}
              onChange={(member) => change({ member })}
            />
          )
        }
      />
    </Page>
  );
}

/** The name of a member; who has left has only its number. */
function Who({ id }: { id: number }): ReactNode {
  const { uuid } = useOrganization();
  const { data } = useQuery(membersQuery(uuid));
  const member = data?.items.find((one) => one.id === id);
  return member?.name ?? member?.email ?? `#${id}`;
}

function auditPage(uuid: string, search: AuditSearch, page: number): AuditPageQuery {
  // The API knows the actions; of the address, only their form has been looked at.
  const query = { ...filtersOf(search), page, pageSize } as { action?: 'session:begun' };
  const params = { path: { organization_uuid: uuid }, query };
  return {
    ...changedByOthers,
    queryKey: [uuid, 'audit', search, page],
    queryFn: ({ signal }) =>
      answer(api.GET('/organizations/{organization_uuid}/audit-events', { params, signal })),
  };
}
