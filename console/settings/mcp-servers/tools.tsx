import { type ReactNode, useState } from 'react';
import { answer, api } from '../../kit/api.js';
import { AsksFirst } from '../../kit/asks-first.js';
import { SelectField } from '../../kit/field.js';
import { Status } from '../../kit/page.js';
import { useWorkspace } from '../../kit/workspace.js';
import { filled } from '../../texts/texts.js';
import styles from './mcp-servers.module.css';
import { pathOf, serversChanged, type Tool } from './queries.js';
import { useMcpServerTexts } from './texts.js';

interface Props {
  serverId: number;
  tools: readonly Tool[];
}

/** What the server can do in its own words, and what of it agents may use. */
export function Tools({ serverId, tools }: Props): ReactNode {
  return (
    <ul className={styles.tools}>
      {tools.map((tool) => (
        <OneTool key={tool.id} serverId={serverId} tool={tool} />
      ))}
    </ul>
  );
}

const tones = {
  allowed: 'done',
  not_allowed: 'quiet',
  changed: 'warning',
  gone: 'quiet',
  unusable: 'danger',
} as const;

function OneTool({ serverId, tool }: { serverId: number; tool: Tool }): ReactNode {
  const texts = useMcpServerTexts();
  const { id, name, title, toolName, description, inputSchema, state, problem, approval } = tool;
  return (
    <li>
      <div className={styles.head}>
        <strong>
          <bdi>{title ?? name}</bdi>
        </strong>{' '}
        <code>{toolName}</code> <Status tone={tones[state]}>{texts.states[state]}</Status>{' '}
        {state === 'allowed' && approval === 'person' ? <Status>{texts.asksPerson}</Status> : null}{' '}
        <Status>{tool.isReadOnly ? texts.reads : tool.isDestructive ? texts.destroys : texts.changes}</Status>
      </div>
      <p dir="auto" className={styles.words}>
        {description}
      </p>
      {problem === null ? null : <p className="error">{texts.problems[problem]}</p>}
      {inputSchema === null ? null : (
        <details>
          <summary>{texts.takes}</summary>
          <pre className={styles.schema}>{JSON.stringify(inputSchema, null, 2)}</pre>
        </details>
      )}
      {state === 'gone' || state === 'unusable' ? null : <Allow key={id} serverId={serverId} tool={tool} />}
    </li>
  );
}

const choices = ['off', 'person', 'none'] as const;
type Allowed = (typeof choices)[number];

/** Allows what is shown here: if the server says something else by now, the API refuses. */
function Allow({ serverId, tool }: { serverId: number; tool: Tool }): ReactNode {
  const texts = useMcpServerTexts();
  const { uuid } = useWorkspace();
  const path = { ...pathOf(uuid, serverId), mcp_tool_id: tool.id };
  const [chosen, setChosen] = useState<Allowed>();
  const now: Allowed = tool.state === 'allowed' ? (tool.approval ?? 'person') : 'off';
  const allowed = chosen ?? now;
  const allow = async (): Promise<unknown> => {
    const place = '/w/{workspace_uuid}/mcp-servers/{mcp_server_id}/tools/{mcp_tool_id}';
    if (allowed === 'off') return answer(api.DELETE(place, { params: { path } }));
    const body = { digest: tool.digest, approval: allowed };
    return answer(api.PUT(place, { params: { path }, body }));
  };
  return (
    <AsksFirst
      title={texts.allow}
      help={texts.allowHelp}
      disabled={allowed === now}
      act={allow}
      changes={serversChanged}
      onDone={() => setChosen(undefined)}
    >
      <SelectField
        label={filled(texts.mayUse, { name: tool.name })}
        pointer="/approval"
        value={allowed}
        onChange={({ target }) => setChosen(target.value as Allowed)}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {texts.uses[choice]}
          </option>
        ))}
      </SelectField>
    </AsksFirst>
  );
}
