import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useCallback, useState } from 'react';
import { answer, api } from '../../kit/api.js';
import { changedByOthers } from '../../kit/changed-by-others.js';
import { Choice } from '../../kit/choice.js';
import { type Column, Grid } from '../../kit/grid.js';
import { MemberPicker } from '../../kit/member-picker.js';
import { Beside } from '../../kit/panel.js';
import { At } from '../../kit/times.js';
import { useWorkspace } from '../../kit/workspace.js';
import { SectionPage } from '../section-page.js';
import styles from '../settings.module.css';
import { useSettingsTexts } from '../texts.js';
import { Who } from '../who.js';
import { type AuditEvent, actionText, auditActions } from './actions.js';
import { OneAct } from './one-act.js';
import { type AuditSearch, filtersOf } from './search.js';
import { useAuditTexts } from './texts.js';

const pageSize = 100;

/** Who did what, and when. */
export function AuditPage(): ReactNode {
  const texts = useAuditTexts();
  const { sections } = useSettingsTexts();
  const { uuid } = useWorkspace();
  const search = useSearch({ from: '/w/$workspace/settings/audit' });
  const [opened, setOpened] = useState<AuditEvent>();
  const page = useCallback((number: number) => auditPage(uuid, search, number), [uuid, search]);
  const { data: first } = useQuery(auditPage(uuid, search, 1));
  const columns: Column<AuditEvent>[] = [
    { id: 'when', title: texts.when, width: '11rem', cell: ({ createdAt }) => <At at={createdAt} withDay /> },
    {
      id: 'who',
      title: texts.who,
      width: '10rem',
      cell: ({ actorMemberId }) =>
        actorMemberId === null ? <span className="quiet">{texts.nobody}</span> : <Who id={actorMemberId} />,
    },
    {
      id: 'what',
      title: texts.what,
      width: '14rem',
      cell: (event) => (
        <button
          type="button"
          className="link"
          aria-expanded={opened?.id === event.id}
          onClick={() => setOpened(opened?.id === event.id ? undefined : event)}
        >
          {actionText(event.action, texts)}
        </button>
      ),
    },
    { id: 'names', title: texts.names, cell: ({ names }) => names.join(', ') },
  ];
  const isFiltered = Object.values(search).some((one) => one !== undefined);
  return (
    <SectionPage
      title={sections.audit.name}
      fills
      acts={
        <a className="button" href={exportAddress(uuid, search)} download>
          {texts.export}
        </a>
      }
    >
      <Filters search={search} />
      {first?.totalIsExact === false ? <p className={styles.hint}>{texts.bounded}</p> : null}
      <Beside
        panel={opened === undefined ? null : <OneAct event={opened} onClose={() => setOpened(undefined)} />}
      >
        <Grid
          label={sections.audit.name}
          columns={columns}
          pageSize={pageSize}
          page={page}
          empty={isFiltered ? texts.noneFound : texts.none}
        />
      </Beside>
    </SectionPage>
  );
}

function auditPage(uuid: string, search: AuditSearch, page: number) {
  const query = { ...filtersOf(search), page, pageSize };
  return {
    ...changedByOthers,
    queryKey: [uuid, 'audit', search, page],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/audit-events', {
          // The API knows the actions; of the address, only their form has been looked at.
          params: { path: { workspace_uuid: uuid }, query: query as { action?: 'session:begun' } },
          signal,
        }),
      ),
  };
}

/** The API neutralizes what a table would take for a formula. */
function exportAddress(uuid: string, search: AuditSearch): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filtersOf(search))) {
    if (value !== undefined) query.set(name, String(value));
  }
  return `/api/v2/w/${uuid}/audit-events/export?${query}`;
}

function Filters({ search }: { search: AuditSearch }): ReactNode {
  const texts = useAuditTexts();
  const { can } = useWorkspace();
  const navigate = useNavigate({ from: '/w/$workspace/settings/audit' });
  const change = (changed: AuditSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  return (
    <search className={styles.filters}>
      <Choice
        label={texts.what}
        all={texts.everything}
        value={search.action}
        options={auditActions.map((action) => [action, actionText(action, texts)])}
        onChange={(action) => change({ action })}
      />
      {can('members:read') ? (
        <MemberPicker
          label={texts.who}
          pointer=""
          isOptional
          value={search.member}
          onChange={(member) => change({ member })}
        />
      ) : null}
      {(['from', 'to'] as const).map((end) => (
        <label key={end} className={styles.day}>
          {texts[end]}
          <input
            type="date"
            value={search[end] ?? ''}
            onChange={({ target }) => change({ [end]: target.value || undefined })}
          />
        </label>
      ))}
    </search>
  );
}
