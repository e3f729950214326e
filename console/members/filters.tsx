import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Choice } from '../kit/choice.js';
import { SearchField } from '../kit/search-field.js';
import { useWorkspace } from '../kit/workspace.js';
import { labelsQuery, rolesQuery } from './queries.js';
import type { MembersSearch } from './search.js';
import { useMemberTexts } from './texts.js';

interface Props {
  search: MembersSearch;
  onChange(changed: MembersSearch): void;
}

/** Restricts the list to a text, a label, a role or a state. */
export function Filters({ search, onChange }: Props): ReactNode {
  const texts = useMemberTexts();
  const { uuid } = useWorkspace();
  const { data: labels } = useQuery(labelsQuery(uuid));
  const { data: roles } = useQuery(rolesQuery(uuid));
  return (
    <search className="filters" aria-label={texts.filters}>
      <SearchField
        label={texts.search}
        value={search.search}
        onSearch={(text) => onChange({ search: text })}
      />
      <Choice
        label={texts.labels}
        all={texts.allLabels}
        value={search.label}
        options={(labels?.items ?? []).map(({ slug, name }) => [slug, name])}
        onChange={(label) => onChange({ label })}
      />
      <Choice
        label={texts.role}
        all={texts.allRoles}
        value={search.role}
        options={(roles ?? []).map(({ id, name }) => [id, name])}
        onChange={(role) => onChange({ role })}
      />
      <Choice
        label={texts.state}
        all={texts.allStates}
        value={search.state}
        options={(['enabled', 'disabled'] as const).map((state) => [state, texts.states[state]])}
        onChange={(state) => onChange({ state })}
      />
    </search>
  );
}
