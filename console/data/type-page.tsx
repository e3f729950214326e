import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { DialogButton } from '../kit/dialog.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Form, InputField, SelectField } from '../kit/field.js';
import { Page, Section } from '../kit/page.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import styles from './data.module.css';
import { type FieldRow, FieldsForm, rowsOf } from './fields-form.js';
import { type DataType, dataType } from './queries.js';
import { slugOf } from './slug.js';
import { useDataTexts } from './texts.js';
import { ToTypes } from './to-types.js';

/** Makes a new type of records. */
export function NewTypePage(): ReactNode {
  const texts = useDataTexts();
  const { uuid } = useWorkspace();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [slug, setSlug] = useState('');
  const [isCollection, setIsCollection] = useState(true);
  const create = useMutation({
    mutationFn: () => {
      const params = { path: { workspace_uuid: uuid } };
      const body = { name: name.trim(), slug: slug.trim(), isCollection, fields: [] };
      return answer(api.POST('/w/{workspace_uuid}/data-types', { params, body }));
    },
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: [uuid, 'data-types'] });
      await navigate({
        to: '/w/$workspace/data/$typeId/fields',
        params: { workspace: uuid, typeId: String(id) },
      });
    },
  });
  return (
    <Page title={texts.newType} above={<ToTypes />}>
      <div className={styles.narrow}>
        <Form error={create.error} onSubmit={create.mutate}>
          <InputField
            label={texts.name}
            pointer="/name"
            required
            value={name}
            onChange={({ target }) => {
              setName(target.value);
              if (slug === slugOf(name)) setSlug(slugOf(target.value));
            }}
          />
          <InputField
            label={texts.slug}
            pointer="/slug"
            hint={texts.slugHint}
            required
            value={slug}
            onChange={({ target }) => setSlug(target.value)}
          />
          <SelectField
            label={texts.kind}
            pointer="/isCollection"
            hint={texts.kindHint}
            value={String(isCollection)}
            onChange={({ target }) => setIsCollection(target.value === 'true')}
          >
            <option value="true">{texts.collection}</option>
            <option value="false">{texts.single}</option>
          </SelectField>
          <p className="acts">
            <button type="submit" className="primary" disabled={create.isPending}>
              {texts.create}
            </button>
          </p>
        </Form>
      </div>
    </Page>
  );
}

/** Changes the name and the fields of a type, or deletes it. */
export function FieldsPage(): ReactNode {
  const shared = useTexts();
  const { uuid } = useWorkspace();
  const { typeId } = useParams({ from: '/w/$workspace/data/$typeId/fields' });
  const { data: type, error } = useQuery(dataType(uuid, Number(typeId)));
  if (type !== undefined) return <EditType key={type.id} type={type} />;
  return error === null ? <p role="status">{shared.loading}</p> : <ErrorNotice error={error} />;
}

function EditType({ type }: { type: DataType }): ReactNode {
  const texts = useDataTexts();
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  const [name, setName] = useState(type.name);
  const [rows, setRows] = useState<readonly FieldRow[]>(() => rowsOf(type.fields));
  const params = { path: { workspace_uuid: uuid, data_type_id: type.id } };
  const save = useMutation({
    mutationFn: () => {
      const body = { name: name.trim(), fields: rows.map(({ field }) => field) };
      return answer(api.PUT('/w/{workspace_uuid}/data-types/{data_type_id}', { params, body }));
    },
    onSuccess: async (saved) => {
      setRows((before) => rowsOf(saved.fields, before));
      await queries.invalidateQueries({ queryKey: [uuid, 'data-types'] });
      await queries.invalidateQueries({ queryKey: [uuid, 'records', type.id] });
    },
  });
  return (
    <Page
      title={type.name}
      above={
        <Link to="/w/$workspace/data/$typeId" params={{ workspace: uuid, typeId: String(type.id) }}>
          {type.name}
        </Link>
      }
      acts={<DeleteType type={type} />}
    >
      <div className={styles.narrow}>
        <Form error={save.error} onSubmit={save.mutate}>
          <InputField
            label={texts.name}
            pointer="/name"
            required
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <p className="quiet">
            {texts.slug}: <code>{type.slug}</code> · {texts.kind}:{' '}
            {type.isCollection ? texts.collection : texts.single}
          </p>
          <Section title={texts.fields}>
            <FieldsForm rows={rows} onChange={setRows} />
          </Section>
          <p className="acts">
            <button type="submit" className="primary" disabled={save.isPending}>
              {texts.save}
            </button>
            {save.isSuccess ? <span role="status">{texts.saved}</span> : null}
          </p>
        </Form>
      </div>
    </Page>
  );
}

function DeleteType({ type }: { type: DataType }): ReactNode {
  const texts = useDataTexts();
  const { uuid } = useWorkspace();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => {
      const params = { path: { workspace_uuid: uuid, data_type_id: type.id } };
      return answer(api.DELETE('/w/{workspace_uuid}/data-types/{data_type_id}', { params }));
    },
    onSuccess: async () => {
      await navigate({ to: '/w/$workspace/data', params: { workspace: uuid } });
      await queries.invalidateQueries({ queryKey: [uuid, 'data-types', 'list'] });
    },
  });
  return (
    <DialogButton title={texts.deleteType}>
      {() => (
        <>
          <p>{texts.deleteTypeWhy}</p>
          <ErrorNotice error={remove.error} />
          <button
            type="button"
            className="danger"
            disabled={remove.isPending}
            onClick={() => remove.mutate()}
          >
            {texts.delete}
          </button>
        </>
      )}
    </DialogButton>
  );
}
