import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type FieldProps, SelectField } from '../../kit/field.js';
import { useWorkspace } from '../../kit/workspace.js';
import { workflowsOf } from '../../runs/queries.js';
import { assistantsQuery } from './queries.js';
import { useChannelTexts } from './texts.js';

interface Props extends FieldProps {
  value: number | null;
  onChange(id: number | null): void;
}

/** The workflow of people who write or call in. */
export function WorkflowField(props: Props): ReactNode {
  const texts = useChannelTexts();
  const { uuid } = useWorkspace();
  const { data } = useQuery(workflowsOf(uuid));
  return <IdField {...props} none={texts.noWorkflow} options={data?.items ?? []} />;
}

/** The assistant of chats that begin. */
export function AssistantField(props: Props): ReactNode {
  const texts = useChannelTexts();
  const { uuid } = useWorkspace();
  const { data } = useQuery(assistantsQuery(uuid));
  return <IdField {...props} none={texts.usualAssistant} options={data?.items ?? []} />;
}

interface IdProps extends Props {
  none: string;
  options: readonly { id: number; name: string | null }[];
}

function IdField({ value, none, options, onChange, ...field }: IdProps): ReactNode {
  return (
    <SelectField
      {...field}
      value={value ?? ''}
      onChange={({ target }) => onChange(Number(target.value) || null)}
    >
      <option value="">{none}</option>
      {value === null || options.some(({ id }) => id === value) ? null : (
        <option value={value}>#{value}</option>
      )}
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name ?? `#${id}`}
        </option>
      ))}
    </SelectField>
  );
}
