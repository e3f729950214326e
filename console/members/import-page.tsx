import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../kit/api.js';
import type { ImportTarget } from '../kit/import/columns.js';
import { ImportSteps } from '../kit/import/import-steps.js';
import { Page } from '../kit/page.js';
import { useWorkspace } from '../kit/workspace.js';
import { dataTypesQuery, membersChanged, rolesQuery } from './queries.js';
import { type MemberTexts, useMemberTexts } from './texts.js';

/** Members from a CSV file: docs/member-import-export.md. */
export function ImportPage(): ReactNode {
  const texts = useMemberTexts();
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  const [roleId, setRoleId] = useState('');
  const { data: roles } = useQuery(rolesQuery(uuid));
  const targets = useTargets(texts);
  return (
    <Page
      title={texts.importMembers}
      above={
        <Link to="/w/$workspace/members" params={{ workspace: uuid }}>
          {texts.toMembers}
        </Link>
      }
    >
      <p>{texts.importHint}</p>
      <ImportSteps
        targets={targets}
        fields={roleId === '' ? {} : { newMemberRoleId: roleId }}
        choices={
          <label>
            {texts.newMemberRole}{' '}
            <select value={roleId} onChange={({ target }) => setRoleId(target.value)}>
              <option value="">{texts.firstRole}</option>
              {roles?.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        }
        send={async (form, signal) =>
          answer(
            api.POST('/w/{workspace_uuid}/members/import', {
              params: { path: { workspace_uuid: uuid } },
              body: { file: '' },
              bodySerializer: () => form,
              parseAs: 'stream',
              signal,
            }),
          ) as unknown as Promise<ReadableStream<Uint8Array<ArrayBuffer>>>
        }
        onImported={() => void membersChanged(queries, uuid)}
      />
    </Page>
  );
}

/** What a column may become: a field of the member, or of its record where it has one of a type. */
function useTargets(texts: MemberTexts): readonly ImportTarget[] {
  const { uuid, can } = useWorkspace();
  const { data } = useQuery(dataTypesQuery(uuid));
  const types = (data?.items ?? []).filter(
    ({ isCollection, slug }) => !isCollection && (can('records:write') || can(`data:write:${slug}`)),
  );
  return [
    { column: 'email', title: texts.email },
    { column: 'phone', title: texts.phone },
    { column: 'external_id', title: texts.externalId },
    { column: 'name', title: texts.name },
    { column: 'date_of_birth', title: texts.dateOfBirth },
    { column: 'description', title: texts.description },
    { column: 'labels', title: texts.labels },
    { column: 'notify_email', title: `${texts.mayBeSent}: ${texts.notify.notifyEmail}` },
    { column: 'notify_sms', title: `${texts.mayBeSent}: ${texts.notify.notifySms}` },
    { column: 'notify_voice', title: `${texts.mayBeSent}: ${texts.notify.notifyVoice}` },
    ...types.flatMap((type) =>
      type.fields.map(({ slug, name }) => ({
        column: `form.${type.slug}.${slug}`,
        title: `${type.name}: ${name}`,
      })),
    ),
  ];
}
