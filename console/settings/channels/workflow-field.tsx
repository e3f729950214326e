import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../../kit/error-notice.js';
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
  return <IdField {...props} none={texts.noWorkflow} query={useQuery(workflowsOf(uuid))} />;
}

/** The assistant of chats that begin. */
export function AssistantField(props: Props): ReactNode {
  const texts = useChannelTexts();
  const { uuid } = useWorkspace();
  return <IdField {...props} none={texts.usualAssistant} query={useQuery(assistantsQuery(uuid))} />;
}

interface IdProps extends Props {
  none: string;
  query: Pick<UseQueryResult<{ items: readonly { id: number; name: string | null }[] }>, 'data' | 'error'>;
}

function IdField({ value, none, query: { data, error }, onChange, ...field }: IdProps): ReactNode {
  const options = data?.items ?? [];
  return (
    <div>
      <ErrorNotice error={error} />
      <SelectField
        {...field}
        disabled={data === undefined}
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
    </div>
  );
}
