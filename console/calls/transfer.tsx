import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { SelectField, TextAreaField } from '../kit/field.js';
import { wordsOf } from '../kit/words-of.js';
import { useWorkspace } from '../kit/workspace.js';
import { type Call, targetsOf } from './queries.js';
import { useCallTexts } from './texts.js';

/** Transfers a call to a person that its workflow names, if there is one. */
export function Transfer({ call: { id } }: { call: Call }): ReactNode {
  const texts = useCallTexts();
  const { uuid } = useWorkspace();
  const { data: targets } = useQuery(targetsOf(uuid, id));
  const [chosen, setChosen] = useState<string>();
  const [facts, setFacts] = useState('');
  const target = targets?.items.find(({ name }) => name === chosen) ?? targets?.items[0];
  if (targets === undefined || target === undefined) return null;
  const params = { path: { workspace_uuid: uuid, phone_call_id: id } };
  return (
    <AsksFirst
      title={texts.transfer}
      help={texts.transferHelp}
      act={() =>
        answer(
          api.POST('/w/{workspace_uuid}/phone-calls/{phone_call_id}/transfer', {
            params,
            body: { target: target.name, facts: facts.trim() },
          }),
        )
      }
      changes={[['calls']]}
    >
      <SelectField
        label={texts.transferTarget}
        pointer="/target"
        hint={target.description}
        value={target.name}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      >
        {targets.items.map(({ name }) => (
          <option key={name} value={name}>
            {wordsOf(name)}
          </option>
        ))}
      </SelectField>
      <TextAreaField
        label={texts.facts}
        pointer="/facts"
        hint={texts.factsHint}
        maxLength={300}
        value={facts}
        onChange={({ currentTarget }) => setFacts(currentTarget.value)}
      />
    </AsksFirst>
  );
}
