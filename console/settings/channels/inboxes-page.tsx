import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Column, Grid } from '../../kit/grid.js';
import { Status } from '../../kit/page.js';
import { useWorkspace } from '../../kit/workspace.js';
import { SectionPage } from '../section-page.js';
import { useSettingsTexts } from '../texts.js';
import { type Inbox, inboxesPage, pageSize } from './queries.js';
import { useChannelTexts } from './texts.js';

/** The email addresses of the workspace. */
export function InboxesPage(): ReactNode {
  const texts = useChannelTexts();
  const { sections } = useSettingsTexts();
  const { uuid, can } = useWorkspace();
  const params = { workspace: uuid };
  const columns: Column<Inbox>[] = [
    {
      id: 'address',
      title: texts.address,
      cell: ({ id, address }) => (
        <Link to="/w/$workspace/settings/inboxes/$inboxId" params={{ ...params, inboxId: String(id) }}>
          {address}
        </Link>
      ),
    },
    { id: 'fromName', title: texts.fromName, cell: ({ fromName }) => <bdi>{fromName}</bdi> },
    {
      id: 'state',
      title: texts.state,
      width: '7rem',
      cell: ({ enabled }) => (
        <Status tone={enabled ? 'done' : 'quiet'}>{enabled ? texts.enabled : texts.disabled}</Status>
      ),
    },
  ];
  return (
    <SectionPage
      title={sections.inboxes.name}
      fills
      acts={
        can('inboxes:write') ? (
          <Link className="button" to="/w/$workspace/settings/inboxes/new" params={params}>
            {texts.newInbox}
          </Link>
        ) : undefined
      }
    >
      <Grid
        label={sections.inboxes.name}
        columns={columns}
        pageSize={pageSize}
        page={(page) => inboxesPage(uuid, page)}
        empty={texts.noInboxes}
      />
    </SectionPage>
  );
}
