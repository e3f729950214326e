import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { Section } from '../kit/page.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { List } from './list.js';
import { memberKey } from './queries.js';
import { useMemberTexts } from './texts.js';

/** The newest files of a member. */
export function Files({ memberId }: { memberId: number }): ReactNode {
  const texts = useMemberTexts();
  const { uuid, can } = useWorkspace();
  const query = {
    ownerId: [memberId],
    pageSize: 10,
    sortBy: 'createdAt' as const,
    sortOrder: 'desc' as const,
  };
  const list = useQuery({
    queryKey: [...memberKey(uuid, memberId), 'files'],
    queryFn: () =>
      answer(api.GET('/w/{workspace_uuid}/files', { params: { path: { workspace_uuid: uuid }, query } })),
  });
  return (
    <Section title={texts.files}>
      <List
        list={list}
        empty={texts.noFiles}
        columns={[
          [
            texts.name,
            ({ id, title }) =>
              can('files:read') ? (
                <Link to="/w/$workspace/files" params={{ workspace: uuid }} search={{ open: id, all: true }}>
                  {title}
                </Link>
              ) : (
                <a href={`/api/v2/w/${uuid}/files/${id}/download`} download>
                  {title}
                </a>
              ),
          ],
          [texts.when, ({ createdAt }) => <At at={createdAt} withDay />],
        ]}
      />
    </Section>
  );
}
