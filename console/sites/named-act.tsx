import { type ReactNode, useState } from 'react';
import { AsksFirst } from '../kit/asks-first.js';
import { InputField } from '../kit/field.js';
import { useRequestKey } from '../kit/use-request-key.js';
import { sitesChanged } from './queries.js';

interface Props<Made> {
  title: string;
  help: string;
  /** What the field is called, for people and for the API. */
  field: { label: string; pointer: string };
  initial?: string;
  act(name: string, header: { 'Idempotency-Key': string }): Promise<Made>;
  onDone(made: Made): void;
}

/** Makes something that has a name, and goes there. */
export function NamedAct<Made>({ title, help, field, initial = '', act, onDone }: Props<Made>): ReactNode {
  const [name, setName] = useState(initial);
  const { header, settled } = useRequestKey();
  return (
    <AsksFirst
      title={title}
      help={help}
      changes={sitesChanged}
      act={() => settled(act(name.trim(), header))}
      onDone={onDone}
    >
      <InputField
        {...field}
        required
        maxLength={200}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
    </AsksFirst>
  );
}
