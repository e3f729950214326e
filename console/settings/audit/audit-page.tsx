import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { answer, api } from '../../kit/api.js';
import { changedByOthers } from '../../kit/changed-by-others.js';
import { MemberPicker } from '../../kit/member-picker.js';
import { useWorkspace } from '../../kit/workspace.js';
import { SectionPage } from '../section-page.js';
import { useSettingsTexts } from '../texts.js';
import { Who } from '../who.js';
import type { AuditEvent } from './actions.js';
import { AuditLog, type AuditPageQuery, ExportLog, pageSize } from './audit-log.js';
import { type AuditSearch, filtersOf } from './search.js';
import { useAuditTexts } from './texts.js';

/** Where the console has a page of what was acted on. */
const pages: Readonly<Record<string, string>> = {
  member: 'members',
  phone_number: 'settings/numbers',
  inbox: 'settings/inboxes',
  event_rule: 'webhooks',
  workflow: 'workflows',
  chat: 'inbox',
};

/** Who did what in the workspace, and when. */
export function AuditPage(): ReactNode {
  const texts = useAuditTexts();
  const { sections } = useSettingsTexts();
  const { uuid, can } = useWorkspace();
  const search = useSearch({ from: '/w/$workspace/settings/audit' });
  const navigate = useNavigate({ from: '/w/$workspace/settings/audit' });
  const page = useCallback((number: number) => auditPage(uuid, search, number), [uuid, search]);
  const change = (changed: AuditSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const placeOf = ({ subjectType, subjectId }: AuditEvent) => {
    const area = subjectType === null ? undefined : pages[subjectType];
    return area === undefined || subjectId === null ? undefined : `/console/w/${uuid}/${area}/${subjectId}`;
  };
  return (
    <SectionPage title={sections.audit.name} fills acts={<ExportLog path={`w/${uuid}`} search={search} />}>
      <AuditLog
        label={sections.audit.name}
        search={search}
        onSearch={change}
        page={page}
        Who={Who}
        placeOf={placeOf}
        byWhom={
          can('members:read') ? (
            <MemberPicker
              label={texts.who}
              pointer=""
              isOptional
              value={search.member}
              onChange={(member) => change({ member })}
            />
          ) : null
        }
      />
    </SectionPage>
  );
}

function auditPage(uuid: string, search: AuditSearch, page: number): AuditPageQuery {
  // The API knows the actions; of the address, only their form has been looked at.
  const query = { ...filtersOf(search), page, pageSize } as { action?: 'session:begun' };
  const params = { path: { workspace_uuid: uuid }, query };
  return {
    ...changedByOthers,
    queryKey: [uuid, 'audit', search, page],
    queryFn: ({ signal }) => answer(api.GET('/w/{workspace_uuid}/audit-events', { params, signal })),
  };
}
