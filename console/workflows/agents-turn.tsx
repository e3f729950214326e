import { type ReactNode, useState } from 'react';
import { placesOf, type Task } from './task-document.js';
import { useWorkflowTexts } from './texts.js';
import type { Player } from './use-player.js';
import styles from './workflows.module.css';

/** Where no model answers, whoever plays says what the agent says, and which task it goes on to. */
export function AgentsTurn({ player, root }: { player: Player; root: Task }): ReactNode {
  const texts = useWorkflowTexts();
  const [say, write] = useState('');
  const [select, choose] = useState('');
  const current = placesOf(root).find(({ task }) => task.name === player.walk?.currentTask)?.task;
  return (
    <form
      className={styles.fields}
      onSubmit={(event) => {
        event.preventDefault();
        const agent = { ...(say === '' ? {} : { say }), ...(select === '' ? {} : { select }) };
        if (say === '' && select === '') return;
        player.take({ agent }, () => {
          write('');
          choose('');
        });
      }}
    >
      <p className="quiet">{texts.agentsTurn}</p>
      <textarea
        rows={2}
        aria-label={texts.agentSays}
        placeholder={texts.agentSays}
        value={say}
        onChange={({ target }) => write(target.value)}
      />
      {current === undefined || current.children.length === 0 ? null : (
        <select
          aria-label={texts.agentSelects}
          value={select}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="">{texts.staysHere}</option>
          {current.children.map(({ uuid, name }) => (
            <option key={uuid} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
      <button type="submit" disabled={player.isPending}>
        {texts.agentSays}
      </button>
    </form>
  );
}
