import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ChangesForm } from '../kit/changes-form.js';
import { InputField, SelectField, TextAreaField } from '../kit/field.js';
import { useWorkspace } from '../kit/workspace.js';
import { type Access, accesses } from './search.js';
import { useFileTexts } from './texts.js';

export interface Details {
  /** A folder has a name, a file a title. */
  name: string;
  description: string;
  /** When an agent is to choose the file; a folder has none. */
  choicePrompt?: string;
  access: Access;
}

interface Props {
  /** What is changed, for its draft. */
  place: string;
  stored: Details;
  /** What the API calls the name in its errors. */
  pointerOfName: string;
  read(): Promise<Details>;
  /** Sends what was changed. */
  save(changes: Partial<Details>): Promise<unknown>;
  reads: readonly QueryKey[];
}

/** What can be written about a file or a folder. */
export function DetailsForm({ pointerOfName, ...form }: Props): ReactNode {
  const texts = useFileTexts();
  const { can } = useWorkspace();
  // Others show what is theirs by links alone.
  const offered = accesses.filter(
    (one) => one === 'private' || one === form.stored.access || can('files:write'),
  );
  return (
    <ChangesForm mayChange {...form}>
      {(value, write) => (
        <>
          <InputField
            label={texts.name}
            pointer={pointerOfName}
            value={value.name}
            maxLength={200}
            required
            onChange={({ target }) => write({ name: target.value })}
          />
          <TextAreaField
            label={texts.description}
            pointer="/description"
            value={value.description}
            onChange={({ target }) => write({ description: target.value })}
          />
          {value.choicePrompt === undefined ? null : (
            <TextAreaField
              label={texts.choicePrompt}
              pointer="/choicePrompt"
              hint={texts.choicePromptHint}
              value={value.choicePrompt}
              onChange={({ target }) => write({ choicePrompt: target.value })}
            />
          )}
          <SelectField
            label={texts.seenBy}
            pointer="/access"
            hint={texts.accessHints[value.access]}
            value={value.access}
            onChange={({ target }) => write({ access: target.value as Access })}
          >
            {offered.map((one) => (
              <option key={one} value={one}>
                {texts.accesses[one]}
              </option>
            ))}
          </SelectField>
        </>
      )}
    </ChangesForm>
  );
}
