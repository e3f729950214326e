import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import type { ImportTarget } from '../kit/import/columns.js';
import { ImportSteps } from '../kit/import/import-steps.js';
import { MemberPicker } from '../kit/member-picker.js';
import { Page } from '../kit/page.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useTexts } from '../texts/texts.js';
import { type DataType, dataType } from './queries.js';
import type { DataTexts } from './texts/en.js';
import { useDataTexts } from './texts.js';
import { useAccess } from './use-access.js';

/** Imports records of a type from a CSV file. */
export function ImportPage(): ReactNode {
  const texts = useDataTexts();
  const shared = useTexts();
  const { uuid, me } = useWorkspace();
  const { workspace, typeId: id } = useParams({ from: '/w/$workspace/data/$typeId/import' });
  const typeId = Number(id);
  const { data: type, error } = useQuery(dataType(uuid, typeId));
  const { writesAll } = useAccess(type);
  const queries = useQueryClient();
  const [memberId, setMemberId] = useState(me.id);
  if (type === undefined) {
    return error === null ? <p role="status">{shared.loading}</p> : <ErrorNotice error={error} />;
  }
  const path = { workspace_uuid: uuid, data_type_id: typeId };
  return (
    <Page
      title={filled(texts.importInto, { type: type.name })}
      above={
        <Link to="/w/$workspace/data/$typeId" params={{ workspace, typeId: id }}>
          {type.name}
        </Link>
      }
    >
      <ImportSteps
        targets={targetsOf(type, texts)}
        // Without a member named here, rows with a known external id keep the members that they have.
        fields={memberId === me.id ? {} : { memberId: String(memberId) }}
        choices={
          writesAll ? (
            <MemberPicker
              label={texts.ownerOfRows}
              pointer="/memberId"
              value={memberId}
              onChange={(one) => setMemberId(one ?? me.id)}
            />
          ) : undefined
        }
        send={(form, signal) =>
          answer(
            api.POST('/w/{workspace_uuid}/data-types/{data_type_id}/records/import', {
              ...{ params: { path }, body: { file: '' }, bodySerializer: () => form, signal },
              parseAs: 'stream',
            }),
          ).then((lines) => lines as ReadableStream<Uint8Array<ArrayBuffer>>)
        }
        onImported={() => void queries.invalidateQueries({ queryKey: [uuid, 'records', typeId] })}
      />
    </Page>
  );
}

/** The columns that the API knows: the fields, what names the record, and what names its member. */
function targetsOf({ fields }: DataType, { targets }: DataTexts): ImportTarget[] {
  const own = Object.entries(targets).map(([name, title]) => ({ column: `__${name}`, title }));
  const ofFields = fields.map(({ slug, name, required }) => ({
    column: slug,
    title: name,
    isRequired: required,
  }));
  return [...ofFields, ...own];
}
