import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
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
      <select
        aria-label={texts.labels}
        value={search.label ?? ''}
        onChange={({ target }) => onChange({ label: target.value || undefined })}
      >
        <option value="">{texts.allLabels}</option>
        {labels?.items.map(({ id, slug, name }) => (
          <option key={id} value={slug}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label={texts.role}
        value={search.role ?? ''}
        onChange={({ target }) => onChange({ role: Number(target.value) || undefined })}
      >
        <option value="">{texts.allRoles}</option>
        {roles?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label={texts.state}
        value={search.state ?? ''}
        onChange={({ target }) => onChange({ state: (target.value || undefined) as MembersSearch['state'] })}
      >
        <option value="">{texts.allStates}</option>
        <option value="enabled">{texts.states.enabled}</option>
        <option value="disabled">{texts.states.disabled}</option>
      </select>
    </search>
  );
}
