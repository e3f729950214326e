import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { SelectField, TextAreaField } from '../kit/field.js';
import { useRequestKey } from '../kit/use-request-key.js';
import { wordsOf } from '../kit/words-of.js';
import { useWorkspace } from '../kit/workspace.js';
import { type Call, targetsOf } from './queries.js';
import { useCallTexts } from './texts.js';

/** Transfers a call to a person that its workflow names, if there is one. */
export function Transfer({ call }: { call: Call }): ReactNode {
  const { uuid } = useWorkspace();
  const { data } = useQuery(targetsOf(uuid, call.id));
  const [first, ...others] = data?.items ?? [];
  return first === undefined ? null : <TransferTo call={call} targets={[first, ...others]} />;
}

type Target = Schemas['TransferTarget'];

function TransferTo({ call: { id }, targets }: { call: Call; targets: [Target, ...Target[]] }): ReactNode {
  const texts = useCallTexts();
  const { uuid } = useWorkspace();
  const [chosen, setChosen] = useState<string>();
  const [facts, setFacts] = useState('');
  const { header, settled } = useRequestKey();
  const target = targets.find(({ name }) => name === chosen) ?? targets[0];
  const transfer = () =>
    settled(
      answer(
        api.POST('/w/{workspace_uuid}/phone-calls/{phone_call_id}/transfer', {
          params: { path: { workspace_uuid: uuid, phone_call_id: id }, header },
          body: { target: target.name, facts: facts.trim() },
        }),
      ),
    );
  return (
    <AsksFirst title={texts.transfer} help={texts.transferHelp} act={transfer} changes={[['calls']]}>
      <SelectField
        label={texts.transferTarget}
        pointer="/target"
        hint={target.description}
        value={target.name}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      >
        {targets.map(({ name }) => (
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
