import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { DialogButton } from '../../kit/dialog.js';
import { Form } from '../../kit/field.js';
import { type Column, Grid } from '../../kit/grid.js';
import { useAct } from '../../kit/use-act.js';
import { useRequestKey } from '../../kit/use-request-key.js';
import { useWorkspace } from '../../kit/workspace.js';
import { SectionPage } from '../section-page.js';
import { useSettingsTexts } from '../texts.js';
import { LabelFields } from './label-fields.js';
import {
  createLabel,
  type Label,
  type LabelKind,
  type LabelValues,
  labelKinds,
  labelsKey,
  labelsPage,
  pageSize,
  permissionOf,
} from './queries.js';
import { useLabelTexts } from './texts.js';

/** The labels of members, of chats or of files, as far as one may change them. */
export function LabelsPage(): ReactNode {
  const texts = useLabelTexts();
  const { sections } = useSettingsTexts();
  const { uuid, can } = useWorkspace();
  const search = useSearch({ from: '/w/$workspace/settings/labels' });
  const kinds = labelKinds.filter((one) => can(permissionOf[one]));
  const kind = kinds.find((one) => one === search.kind) ?? kinds[0];
  if (kind === undefined) return null;
  const columns: Column<Label>[] = [
    {
      id: 'name',
      title: texts.name,
      cell: ({ id, name, color }) => (
        <>
          <span className="dot" style={{ background: color }} aria-hidden="true" />
          <Link
            to="/w/$workspace/settings/labels/$kind/$labelId"
            params={{ workspace: uuid, kind, labelId: String(id) }}
          >
            {name}
          </Link>
        </>
      ),
    },
    { id: 'slug', title: texts.slug, cell: ({ slug }) => <code>{slug}</code> },
    ...(kind === 'member'
      ? []
      : [{ id: 'description', title: texts.description, cell: ({ description }: Label) => description }]),
  ];
  return (
    <SectionPage title={sections.labels.name} fills acts={<NewLabel key={kind} kind={kind} />}>
      <nav aria-label={texts.kindsOf} className="parts">
        {kinds.map((one) => (
          <Link
            key={one}
            to="/w/$workspace/settings/labels"
            params={{ workspace: uuid }}
            search={{ kind: one }}
            aria-current={one === kind ? 'page' : undefined}
          >
            {texts.kinds[one]}
          </Link>
        ))}
      </nav>
      <Grid
        key={kind}
        label={texts.kinds[kind]}
        columns={columns}
        pageSize={pageSize}
        page={(page) => labelsPage(uuid, kind, page)}
        empty={texts.none[kind]}
      />
    </SectionPage>
  );
}

function NewLabel({ kind }: { kind: LabelKind }): ReactNode {
  const texts = useLabelTexts();
  const { uuid } = useWorkspace();
  const [values, setValues] = useState<LabelValues>({});
  const navigate = useNavigate();
  const { header, onSettled } = useRequestKey();
  const create = useAct(
    () => createLabel(uuid, kind, { ...values, name: values.name ?? '' }, header),
    labelsKey(kind),
  );
  return (
    <DialogButton title={texts.newLabel}>
      {() => (
        <Form
          error={create.error}
          onSubmit={() =>
            create.mutate(undefined, {
              onSettled,
              onSuccess: ({ id }) =>
                void navigate({
                  to: '/w/$workspace/settings/labels/$kind/$labelId',
                  params: { workspace: uuid, kind, labelId: String(id) },
                }),
            })
          }
        >
          <LabelFields
            kind={kind}
            value={values}
            onChange={(changed) => setValues({ ...values, ...changed })}
          />
          <button type="submit" className="primary" disabled={create.isPending}>
            {texts.create}
          </button>
        </Form>
      )}
    </DialogButton>
  );
}
