import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../../kit/api.js';
import { DialogButton } from '../../kit/dialog.js';
import { Form, InputField, SelectField } from '../../kit/field.js';
import { type Column, Grid } from '../../kit/grid.js';
import { Read } from '../../kit/read.js';
import { useAct } from '../../kit/use-act.js';
import { useRequestKey } from '../../kit/use-request-key.js';
import { useWorkspace } from '../../kit/workspace.js';
import { SectionPage } from '../section-page.js';
import { useSettingsTexts } from '../texts.js';
import { availableNumbersQuery, type PhoneNumber, pageSize, phoneNumbersPage, uses } from './queries.js';
import { useChannelTexts } from './texts.js';

/** The phone numbers of the workspace. */
export function NumbersPage(): ReactNode {
  const texts = useChannelTexts();
  const { sections } = useSettingsTexts();
  const { uuid, can } = useWorkspace();
  const columns: Column<PhoneNumber>[] = [
    {
      id: 'name',
      title: texts.name,
      cell: ({ id, name }) => (
        <Link
          to="/w/$workspace/settings/numbers/$numberId"
          params={{ workspace: uuid, numberId: String(id) }}
        >
          {name}
        </Link>
      ),
    },
    { id: 'number', title: texts.number, width: '11rem', cell: ({ number }) => <bdi>{number}</bdi> },
    {
      id: 'uses',
      title: texts.usedFor,
      width: '12rem',
      cell: (number) =>
        uses
          .filter((use) => number[use])
          .map((use) => texts.uses[use])
          .join(', '),
    },
  ];
  return (
    <SectionPage
      title={sections.numbers.name}
      fills
      acts={can('phone_numbers:write') ? <GetNumber /> : undefined}
    >
      <Grid
        label={sections.numbers.name}
        columns={columns}
        pageSize={pageSize}
        page={(page) => phoneNumbersPage(uuid, page)}
        empty={can('phone_numbers:write') ? texts.noNumbers : texts.noNumbersYet}
      />
    </SectionPage>
  );
}

/** Takes one of the numbers that the workspace may get. */
function GetNumber(): ReactNode {
  const texts = useChannelTexts();
  const { uuid } = useWorkspace();
  const navigate = useNavigate();
  const [number, setNumber] = useState('');
  const [name, setName] = useState('');
  const available = useQuery(availableNumbersQuery(uuid));
  const { header, onSettled } = useRequestKey();
  const create = useAct(
    () =>
      answer(
        api.POST('/w/{workspace_uuid}/phone-numbers', {
          params: { path: { workspace_uuid: uuid }, header },
          body: { number, name },
        }),
      ),
    ['phone-numbers'],
  );
  const submit = () =>
    create.mutate(undefined, {
      onSettled,
      onSuccess: ({ id }) =>
        void navigate({
          to: '/w/$workspace/settings/numbers/$numberId',
          params: { workspace: uuid, numberId: String(id) },
        }),
    });
  return (
    <DialogButton title={texts.getNumber}>
      {() => (
        <Read query={available}>
          {({ items }) =>
            items.length === 0 ? (
              <p>{texts.noneAvailable}</p>
            ) : (
              <Form error={create.error} onSubmit={submit}>
                <p>{texts.getNumberHelp}</p>
                <SelectField
                  label={texts.number}
                  pointer="/number"
                  required
                  value={number}
                  onChange={({ target }) => setNumber(target.value)}
                >
                  <option value="">{texts.chooseNumber}</option>
                  {items.map((one) => (
                    <option key={one.number} value={one.number}>
                      {one.number}
                      {one.assigned ? ` · ${texts.reserved}` : ''}
                    </option>
                  ))}
                </SelectField>
                <InputField
                  label={texts.name}
                  pointer="/name"
                  hint={texts.nameHint}
                  required
                  maxLength={200}
                  value={name}
                  onChange={({ target }) => setName(target.value)}
                />
                <button type="submit" className="primary" disabled={create.isPending}>
                  {texts.getNumber}
                </button>
              </Form>
            )
          }
        </Read>
      )}
    </DialogButton>
  );
}
