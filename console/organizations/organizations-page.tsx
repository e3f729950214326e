import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { FailedPage } from '../app/problem-pages.js';
import { answer, api } from '../kit/api.js';
import { DialogButton } from '../kit/dialog.js';
import { Form, InputField } from '../kit/field.js';
import { useRequestKey } from '../kit/use-request-key.js';
import { useTexts } from '../texts/texts.js';
import { organizationsQuery } from './queries.js';
import { useOrganizationTexts } from './texts.js';

/** The organizations that one is a member of. */
export function OrganizationsPage(): ReactNode {
  const common = useTexts();
  const texts = useOrganizationTexts();
  const { data, error } = useQuery(organizationsQuery);
  if (data === undefined)
    return error === null ? <p role="status">{common.loading}</p> : <FailedPage error={error} />;
  return (
    <main className="plain">
      <h1 tabIndex={-1}>{texts.all}</h1>
      <p>{texts.what}</p>
      {data.items.length === 0 ? <p>{texts.none}</p> : null}
      <ul>
        {data.items.map(({ uuid, name }) => (
          <li key={uuid}>
            <Link to="/organizations/$organization" params={{ organization: uuid }}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
      <div className="acts">
        <NewOrganization />
        <Link to="/">{common.toWorkspaces}</Link>
      </div>
    </main>
  );
}

function NewOrganization(): ReactNode {
  const texts = useOrganizationTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const { header, onSettled } = useRequestKey();
  const create = useMutation({
    mutationFn: () => answer(api.POST('/organizations', { params: { header }, body: { name: name.trim() } })),
    onSettled,
    onSuccess: async ({ uuid }) => {
      await queries.invalidateQueries(organizationsQuery);
      await navigate({ to: '/organizations/$organization', params: { organization: uuid } });
    },
  });
  return (
    <DialogButton title={texts.create}>
      {() => (
        <Form error={create.error} onSubmit={() => create.mutate()}>
          <InputField
            label={texts.name}
            pointer="/name"
            required
            maxLength={200}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <button type="submit" className="primary" disabled={create.isPending}>
            {texts.createNow}
          </button>
        </Form>
      )}
    </DialogButton>
  );
}
